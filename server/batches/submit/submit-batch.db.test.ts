import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { findBatch } from "@/server/batches/list/get-batch";
import { grantPoints } from "@/server/ledger/issuances";
import { type DomainError, toProblem } from "@/terms/problems";
import { answerStatement } from "@/testing/changed-statements";
import { refusalOf, storedSums } from "@/testing/expectations";
import { type BatchOptions, batchOf, LIMITS, testContext, times, wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { dryRunSubmit } from "./dry-run-submit";
import { submitBatch } from "./submit-batch";
import type { SubmitBatchInput } from "./submit-schema";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const dryRun = (batch: SubmitBatchInput) => dryRunSubmit(context(), LIMITS, batch);
const real = (batch: SubmitBatchInput) => submitBatch(context(), LIMITS, batch);
/** Two transfers of 12.75 points. */
const ROWS = [[1, "10.5"] as const, [2, "2.250"] as const];
const batch = (contract: string, options: BatchOptions = {}) =>
  batchOf(contract, ROWS, { secondsToFinalize: 3600, ...options });
const WAIT = { secondsToFinalize: 3600 };

test("a submitted batch is dated when it is stored, not when its transaction began, so that readers in between miss nothing", async () => {
  const contract = await newContract();
  const read = await db.sql.begin(async (tx) => {
    await tx`select now()`;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const [clock] = await db.sql<
      { ms: number }[]
    >`select floor(extract(epoch from now()) * 1000)::float8 as ms`;
    const own = testContext({ ...db, sql: tx as never });
    await submitBatch(own, LIMITS, batch(contract, { batchId: "b" }));
    return clock!.ms;
  });
  const { createdAt } = await findBatch(context(), contract, "b");
  expect(createdAt.getTime()).toBeGreaterThanOrEqual(read);
});

test("a PREFUNDED contract can send all it has, to the last 10⁻¹² point, and what was refused again later under the same ID", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "10.000000000001" });
  await submit(contract, [[1, "10"]]);
  const before = await storedSums(db);
  const later = batchOf(contract, [[1, "0.02"] as const, [2, "0.01"] as const], { batchId: "later" });
  const error = await refusalOf(submit(later));
  expect(error.code).toBe("insufficient_points");
  expect(error.message).toBe(
    "The batch needs 0.03 PHASE2_POINTS, but the contract has only 0.000000000001 available.",
  );
  expect(error.options.extra).toEqual({ available: "0.000000000001", asked: "0.03" });
  expect(await storedSums(db)).toEqual(before);
  const one = { contractAddress: contract, pointType: "PHASE2_POINTS", points: "1" } as const;
  await grantPoints(context("ops"), one);
  expect(await real(later)).toEqual({ batchId: "later", replayed: false });
});

test("eight concurrent submits of a PREFUNDED contract never exceed its points", async () => {
  for (let round = 0; round < 5; round++) {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "10" });
    const codes = await times(8, () =>
      submit(contract, [[1, "3"]], WAIT).then(
        () => "ok",
        ({ code }: { code: string }) => code,
      ),
    );
    expect(codes.sort()).toEqual([...Array(5).fill("insufficient_points"), "ok", "ok", "ok"]);
    expect(await balance(contract)).toMatchObject({ available: "1", pendingSent: "9" });
  }
});

test("neither an unregistered contract nor a wallet that received points can submit", async () => {
  await submit(await newContract(), [[0x77, "5"]]);
  await finalize();
  const before = await storedSums(db);
  for (const address of [wallet(0xdead), wallet(0x77)]) {
    expect((await refusalOf(submit(address, [[1, "1"]], { batchId: "mine" }))).code).toBe(
      "contract_not_found",
    );
    expect((await refusalOf(dryRun(batch(address)))).code).toBe("contract_not_found");
  }
  expect(await storedSums(db)).toEqual(before);
});

test("a failure inside the database leaves nothing behind", async () => {
  const contract = await newContract();
  const before = await storedSums(db);
  const broken = batchOf(contract, [[1, "1"] as const, [2, "0"] as const]);
  await expect(real(broken)).rejects.toMatchObject({ code: "23514" });
  const close = () => Promise.reject(new Error("CONNECTION_CLOSED"));
  const gone = testContext(answerStatement(db, "insert into batches", close));
  await expect(submitBatch(gone, LIMITS, batch(contract))).rejects.toThrow("CONNECTION_CLOSED");
  expect(await storedSums(db)).toEqual(before);
});

test("a repeated ID with the same content, in any notation, stores nothing more", async () => {
  const contract = await newContract();
  const rows = [[0xabc, "1.50"] as const, [2, "1"] as const];
  const sent = batchOf(contract, rows, { batchId: "same" });
  expect(await real(sent)).toEqual({ batchId: "same", replayed: false });
  const before = await storedSums(db);
  const again = {
    ...sent,
    contractAddress: `0x${contract.slice(2).toUpperCase()}`,
    transfers: [
      { toAddress: `0x${wallet(0xabc).slice(2).toUpperCase()}`, points: "1.5" },
      { toAddress: wallet(2), points: "1.000" },
    ],
  };
  expect(await real(again)).toEqual({ batchId: "same", replayed: true });
  expect(await storedSums(db)).toEqual(before);
});

const ONLY = "is already used by a batch with the same 2 transfers. Only";
test.each<[words: string, rows: readonly (readonly [number, string])[], options: BatchOptions]>([
  [`${ONLY} their order differs.`, [...ROWS].reverse(), WAIT],
  [`${ONLY} \`secondsToFinalize\` differs.`, ROWS, { secondsToFinalize: null }],
  [`${ONLY} their order and \`secondsToFinalize\` differ.`, [...ROWS].reverse(), { secondsToFinalize: 1 }],
  ["different content", [ROWS[0]!, [2, "2.250000000001"]], WAIT],
  ["different content", ROWS, { ...WAIT, pointType: "PHASE2_GOLD" }],
])(
  "a repeated ID is a conflict that says “%s” and shows both digests, in a dry run, too",
  async (words, rows, options) => {
    const contract = await newContract();
    await submit(batch(contract, { batchId: "mine" }));
    const before = await storedSums(db);
    const other = batchOf(contract, rows, { ...options, batchId: "mine" });
    for (const send of [real, dryRun]) {
      const error = await refusalOf(send(other));
      expect(error).toMatchObject({ code: "batch_id_conflict", message: expect.stringContaining(words) });
      const { storedDigest, sentDigest } = error.options.extra as Record<string, string>;
      expect(storedDigest).toBe((await findBatch(context(), contract, "mine")).digest.toString("hex"));
      expect(sentDigest).toMatch(/^[0-9a-f]{64}$/);
      expect(sentDigest).not.toBe(storedDigest);
    }
    expect(await storedSums(db)).toEqual(before);
  },
);

test("a repeated ID of a cancelled batch is refused, and says since when, so that nobody believes the recipients are paid", async () => {
  const contract = await newContract();
  const gone = batch(contract, { batchId: "gone" });
  await submit(gone);
  await cancelBatch(context(), { contractAddress: contract, batchId: "gone" });
  const before = await storedSums(db);
  const error = await refusalOf(submit(gone));
  const { cancelledAt } = await findBatch(context(), contract, "gone");
  expect(error.code).toBe("batch_cancelled");
  expect(error.options.extra).toEqual({ since: cancelledAt!.toISOString() });
  expect(await storedSums(db)).toEqual(before);
  const other = await refusalOf(submit({ ...gone, secondsToFinalize: 3601 }));
  expect(other.code).toBe("batch_id_conflict");
});

test("a dry run reports what the submit then does, and stores nothing", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "100" });
  const before = await storedSums(db);
  const predicted = await dryRun(batch(contract, { batchId: "b" }));
  expect(await storedSums(db)).toEqual(before);
  expect(predicted).toMatchObject({
    success: true,
    dryRun: true,
    batchId: "b",
    replayed: false,
    pointType: "PHASE2_POINTS",
    points: "12.75",
    transferCount: 2,
    secondsToFinalize: 3600,
    availableBefore: "100",
    availableAfter: "87.25",
    issued: "0",
  });
  await real(batch(contract, { batchId: "b" }));
  const found = await findBatch(context(), contract, "b");
  expect(found.digest.toString("hex")).toBe(predicted.digest);
  expect(found.points).toBe(`${predicted.points}0000000000`);
  expect(Math.abs(found.finalizeAt.getTime() - Date.parse(predicted.finalizeAt))).toBeLessThan(5000);
  expect((await balance(contract)).available).toBe(predicted.availableAfter);
  expect(await dryRun(batch(contract, { batchId: "b" }))).toMatchObject({
    replayed: true,
    issued: "0",
    availableBefore: "87.25",
    availableAfter: "87.25",
    finalizeAt: found.finalizeAt.toISOString(),
  });
});

test("a dry run names another batch with the same transfers, which is not cancelled, of the same contract and type", async () => {
  const [contract, other] = [await newContract(), await newContract()];
  await real(batch(other, { batchId: "theirs" }));
  const again = (options: BatchOptions = {}) =>
    dryRun({ ...batch(contract, { batchId: "again", ...options }), secondsToFinalize: 7200 });
  expect(await again()).not.toHaveProperty("sameTransfersAs");
  const [one, two] = batch(contract).transfers;
  await real({ ...batch(contract, { batchId: "paid" }), transfers: [two!, one!] });
  expect(await again()).toMatchObject({ sameTransfersAs: "paid" });
  expect(await again({ pointType: "PHASE2_GOLD" })).not.toHaveProperty("sameTransfersAs");
  const named = {
    ...batch(contract),
    transfers: [
      { ...one!, reference: "s:1" },
      { ...two!, reference: "s:2" },
    ],
  };
  expect(await dryRun(named)).toMatchObject({ sameTransfersAs: "paid" });
  await cancelBatch(context(), { contractAddress: contract, batchId: "paid" });
  expect(await again()).not.toHaveProperty("sameTransfersAs");
  await real({ ...named, batchId: "named" });
  const others = named.transfers.map((row, at) => ({ ...row, reference: `s:${at + 3}` }));
  expect(await dryRun({ ...named, transfers: others })).not.toHaveProperty("sameTransfersAs");
  expect(await again()).toMatchObject({ sameTransfersAs: "named" });
});

test.each([
  ["insufficient_points", { issuance: "PREFUNDED", granted: "12.749999999999" } as const, {}],
  ["batch_id_conflict", {}, { secondsToFinalize: 3601 }],
  ["batch_cancelled", {}, {}],
])("a dry run is refused like the submit: %s", async (code, options, change) => {
  const contract = await newContract(options);
  if (code !== "insufficient_points") await submit(batch(contract, { batchId: "b" }));
  if (code === "batch_cancelled") await cancelBatch(context(), { contractAddress: contract, batchId: "b" });
  const sent = batch(contract, { batchId: "b", ...change });
  const predicted = await dryRun(sent).catch((error: Error) => error);
  const done = await real(sent).catch((error: Error) => error);
  expect(predicted).toMatchObject({ code });
  expect(toProblem(predicted as DomainError, "")).toEqual(toProblem(done as DomainError, ""));
});

const auditOf = (contract: string, batchId: string) =>
  db.sql`select actor, action, detail, request_id from audit_log where target = ${`batch:${contract}/${batchId}`}`;

const batchesOf = (role: Parameters<typeof callerOf>[1]) => callerOf(db, role).batches;
const named = (contract: string, batchId: string) => ({ ...batch(contract), batchId });

test("a batch submitted in the console is stored and audited once under the person's name, no matter how often it is sent", async () => {
  const contract = await newContract();
  const replies = [];
  for (let send = 0; send < 3; send++)
    replies.push(await batchesOf("operator").submit(named(contract, "payout.001")));
  expect(await batchesOf("operator").tryOut(named(contract, "payout.001"))).toMatchObject({
    replayed: true,
    stored: { id: "payout.001", status: "PENDING", heldAt: null },
  });
  const stored = await batchesOf("viewer").get({ contractAddress: contract, batchId: "payout.001" });
  expect(replies).toEqual(
    [false, true, true].map((replayed) => ({
      batchId: "payout.001",
      replayed,
      finalizeAt: stored.finalizeAt,
    })),
  );
  expect(stored).toMatchObject({ submittedBy: "staff:operator@example.com", points: "12.75" });
  expect(await auditOf(contract, "payout.001")).toEqual([
    {
      actor: "staff:operator@example.com",
      action: "batch.submit",
      detail: { pointType: "PHASE2_POINTS", points: "12.75", transferCount: 2 },
      request_id: "request-1",
    },
  ]);
});

test("a batch submitted in the console leaves nothing behind, not even an audit row, when it is refused or a viewer sends it", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "1" });
  const before = await storedSums(db);
  const sent = named(contract, "poor");
  await expect(batchesOf("operator").submit(sent)).rejects.toThrow("only 1 available");
  await expect(batchesOf("viewer").submit(sent)).rejects.toThrow("requires the role operator");
  await expect(batchesOf("viewer").tryOut(sent)).rejects.toThrow("requires the role operator");
  expect(await storedSums(db)).toEqual(before);
  expect(await auditOf(contract, "poor")).toEqual([]);
});

test("a dry run reports that an ON_DEMAND contract would be issued exactly what it lacks", async () => {
  const contract = await newContract();
  expect(await dryRun(batch(contract))).toMatchObject({
    batchId: null,
    availableBefore: "0",
    issued: "12.75",
    availableAfter: "0",
  });
});
