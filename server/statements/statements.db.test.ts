import { beforeAll, describe, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { allPages } from "@/server/kernel/cursor";
import { catchUpRecipients } from "@/server/ledger/index-recipients";
import { grantPoints } from "@/server/ledger/issuances";
import type { PointType } from "@/terms/batch-terms";
import { parsePoints } from "@/terms/points";
import { stoppedClock } from "@/testing/changed-statements";
import { LIMITS, wallet } from "@/testing/factories";
import { moveBatch } from "@/testing/move-in-time";
import { whileLocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { type ExportTransfersInput, exportTransfers, readNamed } from "./export-transfers";
import { type AllStatements, makeStatement, makeStatements } from "./make-statement";
import type { StatementInput } from "./schema";

const { db, context, newContract, submit, finalize, balance } = useLedger();

/** "Now" for the statements below. */
const NOW = new Date("2026-05-20T12:00:00.000Z");

const at = (now: Date) => ({ ...context(), db: stoppedClock(db, now) });

const monthOf = (contractAddress: string, month: string, more: Partial<StatementInput> = {}) =>
  makeStatement(at(NOW), { contractAddress, month, ...more });

const figures = async (contractAddress: string, month: string, pointType: PointType = "PHASE2_POINTS") => {
  const { statements } = await monthOf(contractAddress, month, { pointType });
  const { pointType: _, ...rest } = statements[0]!;
  return rest;
};

const NOTHING = {
  opening: "0",
  issued: "0",
  received: "0",
  sent: "0",
  closing: "0",
  pending: "0",
  cancelled: "0",
};

async function contractSince(createdAt: string, options: Parameters<typeof newContract>[0] = {}) {
  const contract = await newContract(options);
  await db.sql`update contracts set created_at = ${createdAt} where address = ${addressToBytes(contract)}`;
  return contract;
}

/** A batch that was created, and maybe finalized or cancelled, at the given instants. */
async function batchAt(
  contractAddress: string,
  batchId: string,
  points: string,
  instants: Parameters<typeof moveBatch>[2],
  { to = wallet(1), pointType }: { to?: string; pointType?: PointType } = {},
) {
  const secondsToFinalize = instants.finalizedAt ? 0 : 3600;
  await submit(contractAddress, [[to, points]], { batchId, pointType, secondsToFinalize });
  if (instants.finalizedAt) await finalize();
  if (instants.cancelledAt) await cancelBatch(context(), { contractAddress, batchId });
  await moveBatch(db, { contractAddress, batchId }, instants);
}

describe("a month's statement", () => {
  let contract: string;
  beforeAll(async () => {
    contract = await contractSince("2026-02-10T00:00:00Z");
    await batchAt(contract, "march", "10", {
      createdAt: "2026-03-05T00:00:00Z",
      finalizedAt: "2026-03-06T00:00:00Z",
    });
    await batchAt(contract, "over the border", "4", {
      createdAt: "2026-03-31T23:59:59.999Z",
      finalizedAt: "2026-04-01T00:00:00.000Z",
    });
    await batchAt(contract, "cancelled later", "2.5", {
      createdAt: "2026-03-31T12:00:00Z",
      cancelledAt: "2026-04-02T00:00:00Z",
    });
    await batchAt(contract, "april", "1.25", { createdAt: "2026-04-30T23:59:59.999Z" });
    await batchAt(
      contract,
      "gold",
      "0.000001",
      { createdAt: "2026-04-01T00:00:00Z", finalizedAt: "2026-04-30T23:59:59.999Z" },
      { pointType: "PHASE2_GOLD" },
    );
  });

  test("counts a batch as sent in the month in which it was finalized, and as pending until then", async () => {
    expect(await figures(contract, "2026-03")).toEqual({
      opening: "0",
      issued: "16.5",
      received: "0",
      sent: "10",
      closing: "6.5",
      pending: "6.5",
      cancelled: "0",
    });
    expect(await figures(contract, "2026-04")).toEqual({
      opening: "6.5",
      // The batch of 1.25 is covered by the 2.5 that the cancelled batch gave back.
      issued: "0",
      received: "0",
      sent: "4",
      closing: "2.5",
      pending: "1.25",
      cancelled: "2.5",
    });
  });

  test("of the current month ends with the balance, and is not final", async () => {
    const { statements, ...month } = await monthOf(contract, "2026-05");
    expect(month).toMatchObject({
      month: "2026-05",
      from: "2026-05-01T00:00:00.000Z",
      to: "2026-06-01T00:00:00.000Z",
      readAt: NOW.toISOString(),
      isFinal: false,
      firstMonth: "2026-02",
      currentMonth: "2026-05",
    });
    const { earnedCumulative, finalizedSentCumulative, pendingSent } = await balance(contract);
    expect([earnedCumulative, finalizedSentCumulative]).toEqual(["16.5", "14"]);
    expect(statements[0]).toEqual({
      ...NOTHING,
      pointType: "PHASE2_POINTS",
      opening: "2.5",
      closing: "2.5",
      pending: pendingSent,
    });
  });

  test("becomes final ten minutes after it ends, when no transaction of it can still be open", async () => {
    const finalAt = async (now: string) =>
      (await makeStatement(at(new Date(now)), { contractAddress: contract, month: "2026-04" })).isFinal;
    expect(await finalAt("2026-04-30T23:59:59.999Z")).toBe(false);
    expect(await finalAt("2026-05-01T00:09:59.999Z")).toBe(false);
    expect(await finalAt("2026-05-01T00:10:00.000Z")).toBe(true);
  });

  test("is refused in the future and before the contract was registered, with the months that exist, and for an unknown contract", async () => {
    const refusal = (month: string) =>
      monthOf(contract, month).then(
        () => null,
        (error) => [error.code, error.message, error.options.errors[0]],
      );
    const future = "must not be in the future: the current month is 2026-05 in UTC";
    expect(await refusal("2026-06")).toEqual([
      "validation_failed",
      `/month ${future}.`,
      { pointer: "/month", code: "out_of_range", detail: future },
    ]);
    expect(await refusal("9999-12")).toMatchObject(["validation_failed", `/month ${future}.`, {}]);
    expect(await refusal("2026-01")).toMatchObject([
      "validation_failed",
      "/month must not be before 2026-02, because the contract was registered on 2026-02-10.",
      { code: "out_of_range" },
    ]);
    await expect(monthOf(wallet(0xdead), "2026-04")).rejects.toMatchObject({ code: "contract_not_found" });
  });
});

test("grants to a PREFUNDED contract are issued in the month of the grant, and opening balances carry them over", async () => {
  const contract = await contractSince("2026-03-01T00:00:00Z", { issuance: "PREFUNDED" });
  for (const [points, createdAt] of [
    ["100", "2026-03-31T23:59:59.999Z"],
    ["50", "2026-04-01T00:00:00.000Z"],
  ] as const) {
    await grantPoints(context("staff:ann@example.com"), {
      contractAddress: contract,
      pointType: "PHASE2_POINTS",
      points,
    });
    await db.sql`
      update issuances set created_at = ${createdAt}
      where contract_address = ${addressToBytes(contract)} and points = ${points}`;
  }
  await batchAt(contract, "b", "30", {
    createdAt: "2026-04-03T00:00:00Z",
    finalizedAt: "2026-05-02T00:00:00Z",
  });
  expect(await figures(contract, "2026-03")).toEqual({ ...NOTHING, issued: "100", closing: "100" });
  expect(await figures(contract, "2026-04")).toEqual({
    ...NOTHING,
    opening: "100",
    issued: "50",
    closing: "150",
    pending: "30",
  });
  expect(await figures(contract, "2026-05")).toEqual({
    ...NOTHING,
    opening: "150",
    sent: "30",
    closing: "120",
  });
});

describe("points that a contract received", () => {
  let sender: string;
  let receiver: string;
  beforeAll(async () => {
    sender = await contractSince("2026-03-01T00:00:00Z");
    receiver = await contractSince("2026-03-01T00:00:00Z");
    const instants = { createdAt: "2026-03-31T12:00:00Z", finalizedAt: "2026-04-01T12:00:00Z" };
    await batchAt(sender, "in april", "7", instants, { to: receiver });
    await batchAt(
      sender,
      "in may",
      "3",
      { createdAt: "2026-04-10T00:00:00Z", finalizedAt: "2026-05-01T00:00:00Z" },
      { to: receiver },
    );
    await batchAt(sender, "pending", "9", { createdAt: "2026-04-11T00:00:00Z" }, { to: receiver });
  });

  test("count in the month in which the sender's batch was finalized, and statements are unavailable until they are indexed", async () => {
    await expect(monthOf(receiver, "2026-04")).rejects.toMatchObject({
      code: "unavailable",
      options: { headers: { "Retry-After": "5" } },
    });
    await catchUpRecipients(db, 10);
    expect(await figures(receiver, "2026-03")).toEqual(NOTHING);
    expect(await figures(receiver, "2026-04")).toEqual({ ...NOTHING, received: "7", closing: "7" });
    const may = { ...NOTHING, opening: "7", received: "3", closing: "10" };
    expect(await figures(receiver, "2026-05")).toEqual(may);
  });
});

test("points taken back are figures of both contracts in the month of the reversal's finalizing, and pending of the recipient until then", async () => {
  const [sender, recipient] = [
    await contractSince("2026-03-01T00:00:00Z"),
    await contractSince("2026-03-01T00:00:00Z"),
  ];
  const paidAt = { createdAt: "2026-03-05T00:00:00Z", finalizedAt: "2026-03-06T00:00:00Z" };
  await batchAt(sender, "paid", "7", paidAt, { to: recipient });
  await batchAt(sender, "kept", "2", paidAt, { to: recipient });
  const reverse = (batchId: string, reversalId: string, secondsToFinalize: number) =>
    reverseBatch(context(), LIMITS, { contractAddress: sender, batchId, reversalId, secondsToFinalize });
  await reverse("paid", "back", 0);
  const [pending] = (await readNamed(context(), { contractAddress: sender, batchIds: ["paid"] })).batches;
  await finalize();
  const [paid] = (await readNamed(context(), { contractAddress: sender, batchIds: ["paid"] })).batches;
  expect([pending, paid].map((batch) => batch?.transfers[0]?.isTakenBack)).toEqual([undefined, true]);
  const key = { contractAddress: sender, batchId: "back" };
  await moveBatch(db, key, {
    createdAt: "2026-03-31T23:59:59.999Z",
    finalizedAt: "2026-04-01T00:00:00.000Z",
  });
  await reverse("kept", "undone", 3600);
  await cancelBatch(context(), { contractAddress: sender, batchId: "undone" });
  const undoneAt = { createdAt: "2026-03-20T00:00:00Z", cancelledAt: "2026-04-02T00:00:00Z" };
  await moveBatch(db, { contractAddress: sender, batchId: "undone" }, undoneAt);
  // These are older than where the index by recipient has arrived.
  await db.sql`delete from recipient_transfers`;
  await db.sql`update recipient_progress set created_at = '1970-01-01T00:00:00Z', batch_seq = 0`;
  await catchUpRecipients(db, 10);
  expect(await figures(sender, "2026-03")).toEqual({ ...NOTHING, issued: "9", sent: "9" });
  expect(await figures(sender, "2026-04")).toEqual({ ...NOTHING, takenBack: "7", closing: "7" });
  expect(await figures(recipient, "2026-03")).toEqual({
    ...NOTHING,
    received: "9",
    closing: "9",
    pending: "9",
  });
  expect(await figures(recipient, "2026-04")).toEqual({
    ...NOTHING,
    opening: "9",
    givenBack: "7",
    closing: "2",
  });
  expect([(await balance(sender)).available, (await balance(recipient)).available]).toEqual(["7", "2"]);
});

test("the statements of all contracts are each contract's own, once each and newest first, in as many pages as it takes and whatever is renamed meanwhile", async () => {
  const all = async (
    month: string,
    pageSeconds?: number,
    afterPage?: (page: AllStatements) => Promise<unknown>,
  ) => {
    const found = [];
    const pages = allPages((cursor: string | null) =>
      makeStatements(at(NOW), { month, cursor }, { pageSeconds }),
    );
    for await (const page of pages) {
      found.push(...page.contracts);
      await afterPage?.(page);
    }
    return found;
  };
  for (const day of ["01-10", "02-10", "03-10", "05-10"]) await contractSince(`2026-${day}T00:00:00Z`);
  await catchUpRecipients(db, 10);
  for (const month of ["2026-03", "2026-04", "2026-05"]) {
    const found = await all(month);
    const registered = await db.sql<{ address: Buffer }[]>`
      select address from contracts where created_at < ${found[0]!.to}::timestamptz
      order by created_at desc, address desc`;
    const addresses = registered.map(({ address }) => addressFromBytes(address));
    expect(found.map(({ contractAddress }) => contractAddress)).toEqual(addresses);
    expect(addresses.length).toBeGreaterThan(2);
    for (const { firstMonth: _, ...statement } of found) {
      const { firstMonth, ...own } = await monthOf(statement.contractAddress, month);
      expect(statement).toEqual(own);
    }
    // A page that takes too long ends after the contract that it is at.
    expect(await all(month, 0)).toEqual(found);
    for (const label of ["zz", "aa"]) {
      const renamed = await all(month, 0, async ({ contracts: [last] }) => {
        const address = addressToBytes(last!.contractAddress);
        await db.sql`update contracts set label = ${label} where address = ${address}`;
      });
      expect(renamed.map(({ contractAddress }) => contractAddress)).toEqual(addresses);
    }
  }
  await expect(all("2026-06")).rejects.toMatchObject({ code: "validation_failed" });
});

test("a slow statement is stopped, with 503 and Retry-After", async () => {
  const contract = await newContract();
  const month = new Date().toISOString().slice(0, 7);
  const error = await whileLocked(db, "issuances", () =>
    makeStatement(context(), { contractAddress: contract, month }, { secondsMax: 0.1 }).catch(
      (thrown) => thrown,
    ),
  );
  expect(error).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("choose a later month"),
    options: { headers: { "Retry-After": "5" } },
  });
});

type Period = Omit<ExportTransfersInput, "contractAddress">;

async function exported(contractAddress: string, period: Period) {
  const all = [];
  for await (const batch of await exportTransfers(context(), { contractAddress, ...period })) all.push(batch);
  return all;
}

const OCTOBER = { from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };

test("an export of transfers has each transfer of the batches finalized in the period once, and adds up to what the statement calls sent", async () => {
  const contract = await newContract();
  await db.sql`update contracts set created_at = '2026-01-01' where address = ${addressToBytes(contract)}`;
  const created = "2026-09-30T23:59:59.999Z";
  for (const [batchId, finalizedAt] of [
    ["too early", "2026-09-30T23:59:59.999Z"],
    ["first", "2026-10-01T00:00:00.000Z"],
    ["last", "2026-10-31T23:59:59.999Z"],
    ["too late", "2026-11-01T00:00:00.000Z"],
  ] as const) {
    await submit(
      contract,
      [
        [1, "1.5"],
        [2, "0.01"],
      ],
      { batchId },
    );
    await finalize();
    await moveBatch(db, { contractAddress: contract, batchId }, { createdAt: created, finalizedAt });
  }
  const batches = await exported(contract, { by: "finalized", ...OCTOBER });
  expect(batches.map(({ batchId }) => batchId)).toEqual(["first", "last"]);
  expect(batches[0]).toEqual({
    batchId: "first",
    reverses: null,
    pointType: "PHASE2_POINTS",
    status: "FINALIZED",
    createdAt: created,
    finalizeAt: created,
    finalizedAt: "2026-10-01T00:00:00.000Z",
    submittedBy: "token:test",
    cancelledAt: null,
    cancelledBy: null,
    cancelReason: null,
    transfers: [
      { toAddress: wallet(1), points: "1.5" },
      { toAddress: wallet(2), points: "0.01" },
    ],
  });
  const sum = batches
    .flatMap(({ transfers }) => transfers)
    .reduce((all, { points }) => all + parsePoints(points), 0n);
  const { statements } = await makeStatement(context(), { contractAddress: contract, month: "2026-10" });
  expect(sum).toBe(parsePoints(statements[0]!.sent));
});

test("batches that a file names are read with their transfers, reply by reply, if they exist", async () => {
  const contract = await newContract();
  const rows = Array.from({ length: 2000 }, (_, row): [number, string] => [row + 1, "1"]);
  const ids = Array.from({ length: 12 }, (_, at) => `named-${at + 1}`);
  for (const batchId of ids) await submit(contract, rows, { batchId });
  await submit(await newContract(), rows, { batchId: "of-another" });
  const first = await readNamed(context(), {
    contractAddress: contract,
    batchIds: [...ids, "none", "of-another"],
  });
  expect(first.batches.map(({ batchId }) => batchId)).toEqual(ids.slice(0, 10));
  expect(first.left).toEqual(ids.slice(10));
  const others = await readNamed(context(), { contractAddress: contract, batchIds: first.left });
  expect(others.left).toEqual([]);
  expect(others.batches.map(({ batchId }) => batchId)).toEqual(["named-11", "named-12"]);
  const { transfers, ...facts } = others.batches[1]!;
  expect(facts).toEqual({
    contractAddress: contract,
    batchId: "named-12",
    status: "PENDING",
    reverses: null,
  });
  expect(transfers).toHaveLength(2000);
  expect(transfers[1]).toEqual({ toAddress: wallet(2), points: "1" });
});
