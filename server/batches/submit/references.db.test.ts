import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { findBatch, findTransfers } from "@/server/batches/list/get-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { getReceipt } from "@/server/receipts/get-receipt";
import { exportTransfers } from "@/server/statements/export-transfers";
import { answerStatement } from "@/testing/changed-statements";
import { refusalOf, storedSums } from "@/testing/expectations";
import { type BatchOptions, batchOf, LIMITS, setRule, testContext, times, wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { dryRunSubmit } from "./dry-run-submit";
import { listPayments } from "./references";
import { submitBatch } from "./submit-batch";
import type { SubmitBatchInput } from "./submit-schema";

const { db, context, newContract, submit, finalize } = useLedger();

const real = (batch: SubmitBatchInput) => submitBatch(context(), LIMITS, batch);
const dryRun = (batch: SubmitBatchInput) => dryRunSubmit(context(), LIMITS, batch);
let wallets = 1000;
/** A wallet that is not paid yet. Its address has only digits, so its checksummed form is the same. */
const nextWallet = () => `0x${String(wallets++).padStart(40, "0")}`;
/** A batch that pays each reference one point, to a wallet of its own. */
const paying = (contract: string, batchId: string, references: string[], options: BatchOptions = {}) =>
  batchOf(
    contract,
    references.map((reference) => [nextWallet(), "1", reference] as const),
    { batchId, ...options },
  );
const LATER = { secondsToFinalize: 3600 };
const cancel = (contract: string, batchId: string) =>
  cancelBatch(context(), { contractAddress: contract, batchId });
const transfersOf = async (contract: string, batchId: string) =>
  findTransfers(context(), await findBatch(context(), contract, batchId));

test("a second batch that pays a reference again stores nothing, and names the row, the batch, its status and the position there", async () => {
  const contract = await newContract();
  await real(paying(contract, "a", ["x", "y"]));
  await finalize();
  await real(paying(contract, "b", ["z"], LATER));
  const before = await storedSums(db);
  const again = paying(contract, "c", ["new", "z", "y"]);
  for (const send of [real, dryRun]) {
    const { code, message, options } = await refusalOf(send(again));
    expect([code, message]).toEqual([
      "reference_already_paid",
      "/transfers/1/reference z is already paid by /transfers/0 of the batch b, which is PENDING " +
        "(and 1 more error).",
    ]);
    expect(options.errors).toEqual([
      {
        pointer: "/transfers/1/reference",
        code: "reference_already_paid",
        detail: "is already paid by /transfers/0 of the batch b, which is PENDING",
        reference: "z",
        batchId: "b",
        batchStatus: "PENDING",
        position: 0,
      },
      {
        pointer: "/transfers/2/reference",
        code: "reference_already_paid",
        detail: "is already paid by /transfers/1 of the batch a, which is FINALIZED",
        reference: "y",
        batchId: "a",
        batchStatus: "FINALIZED",
        position: 1,
      },
    ]);
  }
  expect(await storedSums(db)).toEqual(before);
  expect((await refusalOf(real(paying(contract, "d", ["x"])))).message).toBe(
    "/transfers/0/reference x is already paid by /transfers/0 of the batch a, which is FINALIZED.",
  );
  await real(paying(contract, "c", ["new", "X"]));
  await real(paying(await newContract(), "c", ["x"]));
});

test("a repeat returns the first result, and the same ID with other references is a conflict that says so", async () => {
  const contract = await newContract();
  const first = paying(contract, "same", ["x", "y"], LATER);
  expect(await real(first)).toEqual({ batchId: "same", replayed: false });
  expect(await real(first)).toEqual({ batchId: "same", replayed: true });
  expect(await dryRun(first)).toMatchObject({ replayed: true });
  const [one, other] = first.transfers as [(typeof first.transfers)[0], (typeof first.transfers)[0]];
  const changed = (...transfers: typeof first.transfers) => ({ ...first, transfers });
  const only = (words: string) => expect.stringContaining(`the same 2 transfers. Only ${words}.`);
  for (const [batch, words] of [
    [changed(one, { ...other, reference: "Y" }), "a `reference` differs"],
    [changed({ ...one, reference: "y" }, { ...other, reference: "x" }), "a `reference` differs"],
    [changed(one, { ...other, reference: null }), "a `reference` differs"],
    [changed(other, one), "their order differs"],
    [changed(other, { ...one, reference: "z" }), "their order and a `reference` differ"],
    [{ ...first, secondsToFinalize: 60 }, "`secondsToFinalize` differs"],
  ] as const)
    for (const send of [real, dryRun])
      expect(await refusalOf(send(batch))).toMatchObject({ code: "batch_id_conflict", message: only(words) });
});

test("a reference can be paid again once its batch is cancelled, but a repeat of that batch stays refused", async () => {
  const contract = await newContract();
  const first = paying(contract, "a", ["x", "y"], LATER);
  await real(first);
  await cancel(contract, "a");
  await dryRun(paying(contract, "b", ["y"]));
  await real({ ...paying(contract, "b", ["new", "x"], LATER), corrects: "a" });
  expect((await refusalOf(real(first))).code).toBe("batch_cancelled");
  expect((await refusalOf(real({ ...first, batchId: "c" }))).options.errors).toMatchObject([
    { reference: "x", batchId: "b" },
  ]);
  await cancel(contract, "b");
  await real({ ...first, batchId: "c" });
});

test("a reference can be paid again once the reversal of its own transfer is finalized, not before", async () => {
  const contract = await newContract();
  const first = paying(contract, "a", ["x", "y"]);
  await real(first);
  await finalize();
  const { toAddress } = first.transfers[1]!;
  const paid = { contractAddress: contract, batchId: "a" };
  const shown = await callerOf(db, "operator").batches.reversible(paid);
  expect(shown.map(({ reference }) => reference)).toEqual(["x", "y"]);
  const back = { ...paid, toAddresses: [toAddress] };
  const refused = async (reference: string) =>
    (await refusalOf(dryRun(paying(contract, "other", [reference])))).code;
  await reverseBatch(context(), LIMITS, { ...back, reversalId: "r", ...LATER });
  expect(await refused("y")).toBe("reference_already_paid");
  await cancel(contract, "r");
  expect(await refused("y")).toBe("reference_already_paid");
  await reverseBatch(context(), LIMITS, { ...back, reversalId: "s", secondsToFinalize: 0 });
  await finalize();
  expect(await refused("x")).toBe("reference_already_paid");
  await real(paying(contract, "b", ["y"]));
  expect(await refused("y")).toBe("reference_already_paid");
  expect(await transfersOf(contract, "s")).toEqual([{ toAddress, points: "1" }]);
  expect(await listPayments(context(), { contractAddress: contract, reference: "y" })).toMatchObject([
    { batchId: "b", position: 0, status: "PENDING" },
    { batchId: "a", position: 1, status: "FINALIZED", takenBack: true },
  ]);
});

test("every reader of a batch shows the references that were sent, whatever they contain", async () => {
  const contract = await newContract();
  const odd = [`{"a",b}\\'`, "NULL", "$1 ' or 1=1 --", "~ !", "x".repeat(64)];
  const batch = paying(contract, "odd", odd);
  const sent = { ...batch, transfers: [...batch.transfers, { toAddress: wallet(1), points: "2" }] };
  await submit(sent);
  await finalize();
  await submit(contract, [[2, "1"]], { batchId: "none" });
  expect(await transfersOf(contract, "odd")).toEqual(sent.transfers);
  expect(await transfersOf(contract, "none")).toEqual([{ toAddress: wallet(2), points: "1" }]);
  const key = { contractAddress: contract, batchId: "odd" };
  expect((await callerOf(db, "viewer").batches.transfers(key)).map(({ reference }) => reference)).toEqual([
    ...odd,
    undefined,
  ]);
  const receipt = (at: number) => getReceipt(context(), { ...key, address: sent.transfers[at]!.toAddress });
  expect((await receipt(0)).reference).toBe(odd[0]);
  expect(await receipt(odd.length)).not.toHaveProperty("reference");
  const period = { by: "created", from: "2020-01-01", to: "9999-01-01" } as const;
  const exported = await exportTransfers(context(), { contractAddress: contract, ...period });
  const rows = [];
  for await (const { transfers } of exported) rows.push(...transfers);
  expect(rows.map(({ reference }) => reference)).toEqual([...odd, undefined, undefined]);
  for (const [position, reference] of odd.entries())
    expect(await listPayments(context(), { contractAddress: contract, reference })).toEqual([
      {
        batchId: "odd",
        position,
        toAddress: sent.transfers[position]!.toAddress,
        pointType: "PHASE2_POINTS",
        points: "1",
        status: "FINALIZED",
      },
    ]);
  expect(await listPayments(context(), { contractAddress: contract, reference: "never" })).toEqual([]);
});

test("without references a submit is the same one statement, and no table of references is read", async () => {
  const contract = await newContract();
  const watched = answerStatement(db, "transfer_references", () => Promise.reject(new Error("was read")));
  const sql = new Proxy(watched.sql, {
    get(target, name) {
      if (name === "begin") throw new Error("began a transaction");
      return Reflect.get(target, name);
    },
  });
  const plain = testContext({ ...watched, sql });
  const transfers = [{ toAddress: wallet(1), points: "1", reference: null }];
  const batch = { ...batchOf(contract, [], { batchId: "plain" }), transfers };
  await dryRunSubmit(plain, LIMITS, batch);
  expect(await submitBatch(plain, LIMITS, batch)).toEqual({ batchId: "plain", replayed: false });
  await expect(submitBatch(plain, LIMITS, paying(contract, "b", ["x"]))).rejects.toThrow("began");
});

test("a paid reference is reported before missing points, so that nobody grants points to pay twice", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "1" });
  await real(paying(contract, "a", ["x"]));
  for (const send of [real, dryRun]) {
    expect((await refusalOf(send(paying(contract, "b", ["x"])))).code).toBe("reference_already_paid");
    expect((await refusalOf(send(paying(contract, "b", ["y"])))).code).toBe("insufficient_points");
  }
});

test("a refused batch does not count towards the day of an approval rule", async () => {
  const contract = await newContract();
  await setRule(db, contract, { dayThreshold: "2" });
  await real(paying(contract, "a", ["x"], LATER));
  await refusalOf(real(paying(contract, "b", ["x"], LATER)));
  const [rule] = await db.sql<{ day_points: string }[]>`
    select trim_scale(day_points) as day_points from approval_rules where day_threshold is not null`;
  expect(rule!.day_points).toBe("1");
});

test("of concurrent batches with shared references in any order and point type, one pays each, and none deadlocks", async () => {
  const names = Array.from({ length: 1000 }, (_, at) => `reference ${at}`);
  for (const before of ["nothing", "cancelled", "nothing", "cancelled"]) {
    const contract = await newContract();
    if (before === "cancelled") {
      await real(paying(contract, "before", names, LATER));
      await cancel(contract, "before");
    }
    const answers = await times(8, (at) => {
      const order = at % 2 ? names : [...names].reverse();
      const pointType = at % 4 < 2 ? "PHASE2_POINTS" : "PHASE2_GOLD";
      return real(paying(contract, `b${at}`, order, { pointType, ...LATER })).then(
        () => "paid",
        ({ code }: { code: string }) => code,
      );
    });
    expect(answers.sort()).toEqual(["paid", ...Array(7).fill("reference_already_paid")]);
  }
});
