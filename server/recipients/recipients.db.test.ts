import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { balancesOf } from "@/server/ledger/accounts";
import { catchUpRecipients, indexRecipients } from "@/server/ledger/index-recipients";
import { indexAll } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, setRule, times, wallet } from "@/testing/factories";
import { holdSubmit } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { describeRecipient } from "./describe-recipient";
import { type ExportedTransfer, exportReceived } from "./export-received";
import { setLabel } from "./labels";
import { listReceived, sumReceived } from "./list-received";

const { db, context, newContract, submit, finalize } = useLedger();

/** Two contracts pay an address in both point types: finalized, cancelled and pending, with the latest two not indexed yet. */
async function paid(address: string) {
  const [one, other] = [await newContract(), await newContract()];
  const pay = (
    contract: string,
    batchId: string,
    points: string,
    pointType: "PHASE2_POINTS" | "PHASE2_GOLD",
    wait = 0,
  ) =>
    submit(
      contract,
      [
        [address, points],
        [9, "1"],
      ],
      { batchId, pointType, secondsToFinalize: wait },
    );
  await pay(one, "1", "10.000000000001", "PHASE2_POINTS");
  await pay(other, "2", "2", "PHASE2_GOLD");
  await pay(other, "3", "5", "PHASE2_POINTS", 3600);
  await pay(one, "4", "7", "PHASE2_POINTS", 3600);
  await cancelBatch(context(), { contractAddress: one, batchId: "4" });
  await pay(other, "5", "0.5", "PHASE2_POINTS");
  await finalize();
  await indexAll(db);
  await pay(one, "6", "100", "PHASE2_POINTS");
  await finalize();
  await pay(one, "7", "3", "PHASE2_GOLD", 7200);
  return { one, other };
}

test("received points are exported over all contracts, oldest first, with each balance", async () => {
  const address = wallet(0x777);
  await paid(address);
  const oldestFirst = [
    ["1", "FINALIZED", "10.000000000001", "10.000000000001", "0"],
    ["2", "FINALIZED", "2", "10.000000000001", "2"],
    ["3", "PENDING", "5", "10.000000000001", "2"],
    ["4", "CANCELLED", "7", "10.000000000001", "2"],
    ["5", "FINALIZED", "0.5", "10.500000000001", "2"],
    ["6", "FINALIZED", "100", "110.500000000001", "2"],
    ["7", "PENDING", "3", "110.500000000001", "2"],
  ];
  expect(summaryOf(await exported(address))).toEqual(oldestFirst);
  await indexAll(db);
  expect(summaryOf(await exported(address))).toEqual(oldestFirst);
});

test("the received points of an address add up to its account balance, with what is expected and when", async () => {
  const address = wallet(0x778);
  const { other } = await paid(address);
  const got = await describeRecipient(context(), { address });
  expect(got).toMatchObject({
    contractLabel: null,
    transferCount: 7,
    indexedUntil: null,
    points: {
      PHASE2_POINTS: { received: "110.500000000001", expected: "5", overdue: "0", delayed: "0" },
      PHASE2_GOLD: { received: "2", expected: "3", overdue: "0", delayed: "0" },
    },
  });
  const [stored] = await db.sql<{ finalize_at: string }[]>`
      select finalize_at from batches where id = '3' and contract_address = ${addressToBytes(other)}`;
  const dueAt = new Date(stored!.finalize_at).toISOString();
  expect(got.points.PHASE2_POINTS).toMatchObject({ firstDueAt: dueAt, lastDueAt: dueAt });
  const account = (await balancesOf(db, [addressToBytes(address)]))(addressToBytes(address));
  expect(account.PHASE2_POINTS.receivedCumulative).toBe(got.points.PHASE2_POINTS.received);
});

test("the received points of an address report from when batches are missing if the index is too far behind, and an export is refused", async () => {
  const address = wallet(0x77c);
  await paid(address);
  await indexAll(db);
  const contract = await newContract();
  const pay = (count: number) =>
    times(count, () => submit(contract, [[address, "1"]], { secondsToFinalize: 60 }));
  await pay(501);
  const [progress] = await db.sql<{ created_at: string }[]>`select created_at from recipient_progress`;
  const indexedUntil = new Date(progress!.created_at).toISOString();
  const page = await listReceived(context(), { address });
  expect(page.indexedUntil).toBe(indexedUntil);
  expect(page.transfers.map(({ running }) => running)).toEqual(Array(7).fill(null));
  expect(await describeRecipient(context(), { address })).toMatchObject({ indexedUntil, transferCount: 7 });
  await expect(exportReceived(context(), { address })).rejects.toMatchObject({ code: "unavailable" });
  await indexAll(db);
  expect(await describeRecipient(context(), { address })).toMatchObject({
    indexedUntil: null,
    transferCount: 508,
    points: { PHASE2_POINTS: { expected: "506" } },
  });
  // An export of several pages has each transfer once, even while batches are added and indexed.
  await pay(20);
  const keys: string[] = [];
  for await (const rows of await exportReceived(context(), { address })) {
    if (keys.length === 0) {
      await pay(20);
      await indexAll(db);
    }
    keys.push(...rows.map(({ contractAddress, batchId }) => `${contractAddress} ${batchId}`));
  }
  expect([keys.length, new Set(keys).size]).toEqual([528, 528]);
});

test("transfers of a batch that awaits approval say so, have a filter, and are neither overdue nor due next", async () => {
  const [contract, address] = [await newContract(), wallet(0x77)];
  await setRule(db, contract, { threshold: "10" });
  await submit(contract, [[address, "10"]], { batchId: "awaits", secondsToFinalize: 60 });
  await submit(contract, [[address, "9"]], { batchId: "usual", secondsToFinalize: 3600 });
  await indexAll(db);
  const awaiting = await listReceived(context(), { address, awaitingApproval: true });
  expect(awaiting.transfers).toMatchObject([{ batchId: "awaits", awaitsApproval: true }]);
  const { transfers } = await listReceived(context(), { address });
  const totals = await describeRecipient(context(), { address });
  const usual = transfers.find(({ batchId }) => batchId === "usual")!;
  expect(usual.awaitsApproval).toBe(false);
  expect(JSON.stringify(totals)).toContain(usual.finalizeAt);
  expect(JSON.stringify(totals)).not.toContain(awaiting.transfers[0]!.finalizeAt);
});

async function exported(address: string): Promise<ExportedTransfer[]> {
  const transfers: ExportedTransfer[] = [];
  for await (const page of await exportReceived(context(), { address })) transfers.push(...page);
  return transfers;
}

const summaryOf = (transfers: ExportedTransfer[]) =>
  transfers.map(({ batchId, status, points, running }) => [
    batchId,
    status,
    points,
    running.PHASE2_POINTS,
    running.PHASE2_GOLD,
  ]);

/** An address made of two repeated bytes. */
const address = (first: string, firstBytes: number, second: string) =>
  `0x${first.repeat(firstBytes)}${second.repeat(20 - firstBytes)}`;

/** What each way of searching for a recipient finds, oldest first. */
async function found(recipient: string) {
  const ctx = context();
  const { rows } = await listBatches(ctx, { recipient });
  const { transfers } = await listReceived(ctx, { address: recipient });
  const type = { address: recipient, pointType: "PHASE2_POINTS" as const };
  const filtered = (await listReceived(ctx, type)).transfers;
  const exported: string[] = [];
  for await (const page of await exportReceived(ctx, { address: recipient }))
    for (const { batchId, points } of page) exported.push(`${batchId} ${points}`);
  return {
    list: rows.map(({ id }) => id).reverse(),
    page: transfers.map(({ batchId, points }) => `${batchId} ${points}`).reverse(),
    filtered: filtered.map(({ batchId, points }) => `${batchId} ${points}`).reverse(),
    summed: (await sumReceived(ctx, type)).points.PHASE2_POINTS.pending,
    exported,
    counted: (await describeRecipient(ctx, { address: recipient })).transferCount,
  };
}

const NOTHING = { list: [], page: [], filtered: [], summed: "0", exported: [], counted: 0 };

const only = (batchId: string, points: string) => ({
  list: [batchId],
  page: [`${batchId} ${points}`],
  filtered: [`${batchId} ${points}`],
  summed: points,
  exported: [`${batchId} ${points}`],
  counted: 1,
});

test.each(["before", "after"])(
  "%s a batch is indexed, an address is found where it is paid, and not where it only spans two others",
  async (moment) => {
    /** Three recipients, and an address that spans the end of the first and the start of the second. */
    const [a, b, c, d] = (moment === "before" ? ["a1", "b1", "c1", "d1"] : ["a2", "b2", "c2", "d2"]) as [
      string,
      string,
      string,
      string,
    ];
    const [first, second, across] = [address(a, 7, b), address(c, 13, d), address(b, 7, c)];
    const send = async (batchId: string, rows: [string, string][]) => {
      await submit(await newContract(), rows, { batchId, secondsToFinalize: 3600 });
      if (moment === "after") await indexAll(db);
    };
    const rows: [string, string][] = [
      [first, "1"],
      [second, "2"],
    ];
    await send(`apart-${moment}`, rows);
    expect(await found(across)).toEqual(NOTHING);
    expect(await found(first)).toEqual(only(`apart-${moment}`, "1"));
    expect(await found(second)).toEqual(only(`apart-${moment}`, "2"));
    await send(`paid-${moment}`, [...rows, [across, "3"]]);
    expect(await found(across)).toEqual(only(`paid-${moment}`, "3"));
  },
);

/** The index ends before the current millisecond. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

const paying = async (recipient: string, filters = {}) =>
  (await listBatches(context(), { recipient, sort: "ASC", ...filters })).rows.map((row) => row.id);

test("indexing does not skip a submit in flight", async () => {
  const contract = await newContract();
  const to = wallet(0xc11);
  await indexAll(db);
  const held = await holdSubmit(
    db,
    batchOf(contract, [[to, "1"]], { batchId: "held", pointType: "PHASE2_GOLD" }),
  );
  await submit(contract, [[to, "1"]], { batchId: "after" });
  expect(await indexAll(db)).toBe(0);
  await held.release();
  expect(await indexAll(db)).toBe(2);
  expect((await paying(to)).sort()).toEqual(["after", "held"]);
});

test("indexing continues where it stopped, in bounded steps, indexes nothing twice, and catches up in one call", async () => {
  await indexAll(db);
  const contract = await newContract();
  await times(210, (i) =>
    submit(contract, [
      [0xd00_000 + i, "1"],
      [0xd11, "1"],
    ]),
  );
  await tick();
  expect(await indexRecipients(db)).toBe(200);
  await expectLedgerToBalance(db);
  expect((await paying(wallet(0xd11), { limit: 200 })).length).toBe(200);
  await catchUpRecipients(db, 10);
  expect(await indexRecipients(db)).toBe(0);
  const [indexed] = await db.sql`
      select count(*)::int as count from recipient_transfers where contract_address = ${addressToBytes(contract)}`;
  expect(indexed).toEqual({ count: 420 });
});

const staff = () => context("staff:a@example.com");

const auditOf = (address: string) => db.sql<{ actor: string; action: string; detail: unknown }[]>`
  select actor, action, detail from audit_log where target = ${`recipient:${address}`} order by id`;

test("a registered contract keeps its own label, and refuses another", async () => {
  const contract = await newContract();
  await expect(setLabel(staff(), { address: contract, label: "Mine" })).rejects.toMatchObject({
    code: "validation_failed",
    options: { errors: [{ pointer: "/address" }] },
  });
  expect(await auditOf(contract)).toEqual([]);
  const { contractLabel } = await describeRecipient(context(), { address: contract });
  expect(contractLabel).toMatch(/^Contract /);
});
