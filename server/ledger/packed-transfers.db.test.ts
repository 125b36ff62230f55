import type { Sql, TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { findBatch, findTransfers } from "@/server/batches/list/get-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { formatPoints, parsePoints, shortestPoints } from "@/terms/points";
import { batchOf, LIMITS } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import type { Transfer } from "./packed-transfers";

const { db, context, newContract, finalize } = useLedger();

const addressOf = (number: number) =>
  addressFromBytes(Buffer.from(number.toString(16).padStart(40, "0"), "hex"));
const bytes = (...numbers: number[]) => numbers.map((number) => addressOf(number).slice(2)).join("");

/** Stores a due batch, with no minimum amount, and returns its contract. */
async function send(transfers: readonly Transfer[]): Promise<string> {
  const contract = await newContract();
  const rows = transfers.map(({ toAddress, points }) => [toAddress, points] as const);
  const limits = {
    ...LIMITS,
    minimumPoints: { PHASE2_POINTS: "0.000000000001", PHASE2_GOLD: "0.000000000001" },
  };
  await submitBatch(context(), limits, batchOf(contract, rows, { batchId: "sent" }));
  return contract;
}

async function stored(contract: string): Promise<Transfer[]> {
  return findTransfers(context(), await findBatch(context(), contract, "sent"));
}

/** Received points by lower-case address. */
async function received(): Promise<(address: string) => string | undefined> {
  const rows = await db.sql<{ address: string; received: string }[]>`
    select '0x' || encode(address, 'hex') as address, received::text from accounts where received > 0`;
  const byAddress = new Map(rows.map((row) => [row.address, shortestPoints(row.received)]));
  return (address) => byAddress.get(address.toLowerCase());
}

type Row = { contract?: string; addresses: string; points: string | null };
const insert = (sql: Sql | TransactionSql, { contract = bytes(0xc0), addresses, points }: Row) => sql`
    insert into batch_transfers (batch_seq, contract_address, addresses, points)
    values (1000000, ${Buffer.from(contract, "hex")}, ${Buffer.from(addresses, "hex")}, ${points}::text::numeric[])`;

test.each([
  ["one address more than amounts", bytes(1, 2), "{1}", "batch_transfers_pairs"],
  ["an address that is missing a byte", bytes(1, 2).slice(2), "{1,2}", "batch_transfers_pairs"],
  ["no transfers", "", "{}", "batch_transfers_not_empty"],
  ["a zero among amounts", bytes(1, 2, 3), "{1,0,1}", "batch_transfers_points"],
  ["an amount that is not a number", bytes(1, 2), "{1,NaN}", "batch_transfers_points"],
  ["an amount of 27 digits before the point", bytes(1), `{1${"0".repeat(26)}}`, "overflow"],
])("a packed row with %s is refused", async (_, addresses, points, reason) => {
  await expect(insert(db.sql, { addresses, points })).rejects.toThrow(new RegExp(reason));
});

test("a packed row cannot be changed or deleted", async () => {
  await send([{ toAddress: addressOf(1), points: "1" }]);
  for (const change of ["update batch_transfers set points = '{2}'", "delete from batch_transfers"])
    await expect(db.sql.unsafe(change)).rejects.toThrow(/transfers are never changed/);
});

test("the transfers of a batch of 2,000 come back and are credited in order, each amount with its address", async () => {
  const sent = Array.from({ length: 2000 }, (_, at) => ({
    // Neither addresses nor amounts are in ascending order, so that any sorting would show.
    toAddress: addressOf(1_000_000 + ((at * 7919) % 2003)),
    points: `${((at * 104_729) % 2003) + 1}.${at + 1}`,
  }));
  const contract = await send(sent);
  const expected = sent.map(({ toAddress, points }) => ({ toAddress, points: shortestPoints(points) }));
  expect(await stored(contract)).toEqual(expected);
  await finalize();
  const credited = await received();
  expect(expected.map(({ toAddress }) => ({ toAddress, points: credited(toAddress) }))).toEqual(expected);
});

test("the smallest, largest and longest amounts are stored, credited and debited exactly", async () => {
  const [most, rest] = ["9".repeat(26), "9".repeat(12)];
  const amounts = [
    "0.000000000001",
    "0.123456789012",
    most,
    `${most}.${rest}`,
    `${"1".padEnd(26, "0")}.000000000001`,
  ];
  const sent = amounts.map((points, at) => ({ toAddress: addressOf(0xaa_0000 + at), points }));
  const contract = await send(sent);
  expect(await stored(contract)).toEqual(sent);
  await finalize();
  const credited = await received();
  expect(sent.map(({ toAddress }) => credited(toAddress))).toEqual(amounts);
  const { points } = await findBatch(context(), contract, "sent");
  const sum = amounts.reduce((all, each) => all + parsePoints(each), 0n);
  expect(shortestPoints(points)).toBe(formatPoints(sum));
});
