import { beforeAll, expect, test } from "vitest";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { indexRecipients } from "@/server/ledger/index-recipients";
import { batchOf, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { find } from "./find";

const ONE = `0xabc1${"0".repeat(35)}1`;
const TWO = `0xabc2${"0".repeat(35)}2`;
const shown = (address: string) => addressFromBytes(addressToBytes(address));

const { db, context, newContract, submit, finalize } = useLedger({ balances: false });
beforeAll(async () => {
  await newContract({ address: ONE });
  await newContract({ address: TWO });
  await db.sql`update contracts set label = 'Season 2 – payouts' where address = ${addressToBytes(TWO)}`;
  for (const batchId of ["job-1", "job-10", "job-11", "Job-1", "other_1"])
    await submit(ONE, [[7, "1"]], { batchId });
  await submit(TWO, [[8, "1"]], { batchId: "job-1" });
  for (let n = 1; n <= 9; n++) await submit(TWO, [[8, "1"]], { batchId: `many-${n}` });
  await finalize();
});

const search = (text: string) => find(context("staff:viewer@example.com"), text);
const ids = async (text: string) =>
  (await search(text)).batches.map(({ id, contractAddress }) => [id, contractAddress]);

test("a search finds batches of every contract by id prefix, with exact matches first", async () => {
  expect(await ids("job-1")).toEqual(
    expect.arrayContaining([
      ["job-1", shown(ONE)],
      ["job-1", shown(TWO)],
      ["job-10", shown(ONE)],
      ["job-11", shown(ONE)],
    ]),
  );
  expect((await ids("job-1")).map(([id]) => id)).toEqual(["job-1", "job-1", "job-10", "job-11"]);
  expect((await ids("other_")).map(([id]) => id)).toEqual(["other_1"]);
  expect(await ids("job%")).toEqual([]);
});

test("a search finds the payouts of every contract by ID prefix, each once", async () => {
  for (const [contract, batchId, payoutId] of [
    [ONE, "a1", "may-payout"],
    [ONE, "a2", "may-payout"],
    [TWO, "a3", "may-payout"],
    [ONE, "a4", "may-payout-2"],
    [ONE, "a5", "June"],
  ] as const)
    await submit({ ...batchOf(contract, [[7, "1"]], { batchId }), payoutId });
  const found = async (text: string) =>
    (await search(text)).payouts.map(({ id, contractAddress }) => [id, contractAddress]);
  const both = [
    ["may-payout", shown(ONE)],
    ["may-payout", shown(TWO)],
  ];
  expect(await found("may-payout")).toEqual([...both, ["may-payout-2", shown(ONE)]]);
  expect(await found("June")).toEqual([["June", shown(ONE)]]);
  expect(await found("ay-payout")).toEqual([]);
});

test("a search finds a payout by any part of its file's name, the latest first, after those with such an ID", async () => {
  const paid = async (payoutId: string, fileName: string, part = 1) => {
    const batchId = `${payoutId}.${part}`;
    await submit({ ...batchOf(ONE, [[7, "1"]], { batchId }), payoutId });
    await db.sql`update payout_parts set part = ${part}, part_count = 2, file_name = ${fileName}
      where payout_id = ${payoutId} and part is null`;
  };
  await paid("f-1", "2026-10 October (final).csv");
  await paid("f-1", "2026-10 October (final).csv", 2);
  await paid("f-2", "October again.xlsx");
  await paid("october", "other.csv");
  const found = async (text: string) => (await search(text)).payouts.map(({ id }) => id);
  expect(await found("october")).toEqual(["october", "f-2", "f-1"]);
  expect(await found("october (FINAL")).toEqual(["f-1"]);
  expect(await found("f-1")).toEqual(["f-1"]);
  // Its first part may be stored twice, under different IDs.
  await paid("f-3", "Winter.csv");
  await submit({ ...batchOf(ONE, [[7, "1"]], { batchId: "f-3.again" }), payoutId: "f-3" });
  await db.sql`update payout_parts set part = 1, part_count = 2, file_name = 'Winter.csv'
    where payout_id = 'f-3' and part is null`;
  expect(await found("winter")).toEqual(["f-3"]);
  expect(await found("%")).toEqual([]);
});

test("a search finds the batch that pays a reference, of each contract", async () => {
  for (const [address, batchId] of [
    [ONE, "paid"],
    [TWO, "paid-too"],
  ] as const)
    await submit(address, [[9, "1", "order #5"]], { batchId });
  const found = (await search("order #5")).batches;
  expect(found.map(({ id, reference }) => [id, reference])).toEqual([
    ["paid-too", "order #5"],
    ["paid", "order #5"],
  ]);
  expect(await ids("order #")).toEqual([]);
});

const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test("a search finds an address without 0x, with 0X, by its start or as it is shown, before it is credited", async () => {
  await newContract({ address: `0x5aae${"1".repeat(36)}` });
  await submit(ONE, [[CHECKSUMMED, "1"]], { batchId: "expected" });
  await indexRecipients(db);
  const digits = CHECKSUMMED.slice(2);
  const texts = [
    digits,
    `0X${digits.toUpperCase()}`,
    "0x5aAe…1BeAed",
    "5aae...1beaed",
    "0X5AAEB6",
    "5aaeb605",
    digits,
  ];
  for (const text of texts) {
    const { recipients, unknownAddress } = await search(text);
    expect([recipients, unknownAddress], text).toEqual([[{ address: CHECKSUMMED, label: null }], null]);
  }
  expect((await search("5aae…1111")).contracts).toHaveLength(1);
  expect((await search("0x5aAe…2BeAed")).recipients).toEqual([]);
  expect((await search(`${digits.slice(0, -1)}D`)).hasWrongChecksum).toBe(true);
  expect((await search(digits)).hasWrongChecksum).toBe(false);
});

test("a search finds an address by its start and end, however many others begin like it", async () => {
  await db.sql`
    insert into recipient_labels (address, label)
    select decode('abcd' || lpad(to_hex(n), 36, '0'), 'hex'), 'Many'
    from generate_series(0, 9999) n where to_hex(n) not like '%ee2'`;
  const address = shown(`0xabcd${"f".repeat(33)}ee2`);
  await db.sql`insert into recipient_labels (address, label) values (${addressToBytes(address)}, 'One')`;
  expect((await search("0xabcd…ee2")).recipients).toEqual([{ address, label: "One" }]);
  await db.sql`delete from recipient_labels`;
});

test("a search finds snapshots and allocations by any part of their name, an exact match first", async () => {
  await db.sql`
    insert into snapshots (id, name, point_type, includes_contracts, as_of, requested_by)
    values ('00000000-0000-4000-8000-000000000001', 'Season 3', 'PHASE2_POINTS', false, now(), 'ops'),
      ('00000000-0000-4000-8000-000000000002', 'season', 'PHASE2_GOLD', false, now(), 'ops')`;
  await db.sql`
    insert into allocations (id, snapshot_id, name, rule, total, decimals, minimum, excluded, requested_by)
    select '00000000-0000-4000-8000-000000000003', id, 'Our season', 'PRO_RATA', 9, 0, 1, '', 'ops'
    from snapshots where name = 'Season 3'`;
  const found = async (text: string) =>
    (await search(text)).snapshots.map(({ name, snapshotName }) => [name, snapshotName]);
  expect((await found("SEASON")).map(([name]) => name)).toEqual(["season", "Season 3", "Our season"]);
  expect(await found("our")).toEqual([["Our season", "Season 3"]]);
  expect(await found("son 3")).toEqual([["Season 3", null]]);
});

test("a search finds recipients by label, ignoring case, also unpaid ones, and shows the label with the address", async () => {
  const unpaid = `0x${"d".repeat(40)}`;
  await db.sql`insert into recipient_labels (address, label) values
      (${addressToBytes(wallet(7))}, 'Treasury – cold'), (${addressToBytes(unpaid)}, 'cold storage'),
      (${addressToBytes(TWO)}, 'cold, hidden by the label of the contract')`;
  const seven = { address: shown(wallet(7)), label: "Treasury – cold" };
  const other = { address: shown(unpaid), label: "cold storage" };
  expect((await search("COLD")).recipients).toEqual([other, seven]);
  expect((await search("treasury –")).recipients).toEqual([seven]);
  expect((await search(wallet(7))).recipients).toEqual([seven]);
  expect(await search("0xdddd")).toMatchObject({ recipients: [other], unknownAddress: null });
  expect(await search(unpaid)).toMatchObject({ recipients: [other], unknownAddress: null });
  expect((await search("%")).recipients).toEqual([]);
  await db.sql`delete from recipient_labels`;
});

test.each(["", " ", "x", "\0\0", "0x", "%E0%A4%A", `${TWO}0`, "job-1'; drop table batches", "é".repeat(150)])(
  "a search finds nothing for %j",
  async (text) => {
    const found = Object.values(await search(text)).flat();
    expect(found.filter(Boolean)).toEqual([]);
  },
);
