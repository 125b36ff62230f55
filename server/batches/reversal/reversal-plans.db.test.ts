import { drizzle } from "drizzle-orm/postgres-js";
import { beforeAll, expect, test } from "vitest";
import { readReversalLinks } from "@/server/recipients/list-received";
import { explain, nodesOf, type PlanNode, packedRows, statementsOf } from "@/testing/explain";
import { LIMITS, newContract, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import { cancelBatch } from "../change/cancel-batch";
import { findBatch, findReversals, readReversed } from "../list/get-batch";
import { describeReversible, dryRunReversal } from "./prepare-reversal";
import { reverseBatch } from "./reverse-batch";

const { db, context, useContract } = useLedger({ balances: false });
const contract = useContract();
/** Payments of each of two contracts. */
const PAID = 10_000;
const TABLES = ["batches", "batch_transfers", "reversed_transfers", "accounts"];

/**
 * Two contracts, each with 2,000 pending batches, and 10,000 that paid two wallets. There are two reversals of every tenth of
 * these, and one of all others except `b-1`.
 */
beforeAll(async () => {
  const other = await newContract(db);
  const at = (n: string) => `timestamptz '2026-03-01T00:00:00Z' + (${n}) * interval '1 minute'`;
  const columns = `contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, submitted_by,
    submit_request_id, created_at, finalize_at, updated_at, finalized_at, reverses_seq`;
  for (const address of [contract, other].map((each) => `decode('${each.slice(2)}', 'hex')`))
    await withoutTriggers(
      db,
      `insert into batches (${columns})
       select ${address}, 'p-' || n, 'PHASE2_POINTS', 'PENDING', n, 2, 60, sha256(n::text::bytea), 'token:test', 'r',
         ${at("n")}, ${at("n")}, null, null, null from generate_series(1, 2000) n;
       insert into batches (${columns})
       select ${address}, 'b-' || n, 'PHASE2_POINTS', 'FINALIZED', n, 2, 60, sha256(n::text::bytea), 'token:test', 'r',
         at, at, at, at, null from (select n, ${at("n")} as at from generate_series(1, ${PAID}) n) made;
       insert into batches (${columns})
       select ${address}, 'r-' || b.id || '-' || part, 'PHASE2_POINTS', 'FINALIZED', b.points, 1, 60, sha256(b.id::bytea), 'token:test', 'r',
         at, at, at, at, b.seq
       from batches b, generate_series(0, 1) as part, lateral (select ${at(String(PAID))} as at) as later
       where b.contract_address = ${address} and b.id like 'b-%' and b.id <> 'b-1' and (part = 0 or b.id like '%0')`,
    );
  const walletOf = (seq: string, place: string) =>
    `decode(lpad(to_hex(${seq} * 2 + ${place}), 40, '0'), 'hex')`;
  await withoutTriggers(
    db,
    `${packedRows(`select seq as batch_seq, contract_address, position, ${walletOf("seq", "position")} as to_address, 1 as points
       from batches, generate_series(0, 1) as position where reverses_seq is null`)};
     ${packedRows(`select seq as batch_seq, contract_address, 0 as position,
         ${walletOf("reverses_seq", "right(id, 1)::int")} as to_address, 1 as points
       from batches where reverses_seq is not null`)};
     insert into reversed_transfers (contract_address, batch_seq, to_address, reversal_seq, points)
     select contract_address, reverses_seq, ${walletOf("reverses_seq", "right(id, 1)::int")}, seq, 1
     from batches where reverses_seq is not null;
     insert into accounts (address, point_type, received)
     select ${walletOf("seq", "position")}, 'PHASE2_POINTS', 5 from batches, generate_series(0, 1) as position
     where reverses_seq is null`,
  );
  for (const table of TABLES) await db.sql.unsafe(`vacuum analyze ${table}`);
});

/** Each index, and the column that must be compared so that only one batch, or one recipient's rows, are read. */
const KEYS: Record<string, string> = {
  batches_id: "id",
  batches_contract_address_seq_pk: "seq",
  batches_by_reversed: "reverses_seq",
  batch_transfers_batch_seq_contract_address_pk: "batch_seq",
  reversed_transfers_once: "batch_seq",
  reversed_transfers_by_recipient: "to_address",
  accounts_address_point_type_pk: "address",
};
const isByKey = ({ "Index Name": index = "", "Index Cond": condition = "" }: PlanNode) =>
  index in KEYS && new RegExp(`\\b${KEYS[index]} = `).test(condition);
const isOfLedger = ({ "Index Name": index = "", ...node }: PlanNode) =>
  TABLES.some(
    (table) =>
      index.startsWith(`${table}_`) ||
      (node["Relation Name"] === table && node["Node Type"].endsWith("Seq Scan")),
  );

/** The scans of the statements that `run` sends, each planned with its values and as a prepared statement. */
async function scansOf(run: (ctx: ServiceContext) => Promise<unknown>): Promise<PlanNode[]> {
  const { sent } = await statementsOf(db.url, (sql) =>
    run({ ...context(), db: { ...db, sql, orm: drizzle(sql) } }),
  );
  const plans: PlanNode[] = [];
  for (const { text, values } of sent.filter(({ text }) => TABLES.some((table) => text.includes(table))))
    plans.push(...(await explain(db, text, values)), ...(await explain(db, text, values, { generic: true })));
  return nodesOf(plans).filter(isOfLedger);
}

const key = (batchId: string) => ({ contractAddress: contract, batchId });
const batch = (batchId: string) => findBatch(context(), contract, batchId);
const hundredOf = (ids: string) =>
  db.sql<{ contract_address: Buffer; seq: string; reverses_seq: string | null }[]>`
    select contract_address, seq, reverses_seq from batches
    where contract_address = ${addressToBytes(contract)} and id like ${ids} order by seq limit 100`;

type Case = [what: string, run: (ctx: ServiceContext) => Promise<unknown>, indexes: string[]];
const CASES: Case[] = [
  [
    "finding the reversals of a batch",
    async (ctx) => {
      const reversals = await findReversals(ctx, await batch("b-10"));
      expect(reversals.map(({ id }) => id)).toEqual(["r-b-10-0", "r-b-10-1"]);
    },
    ["batches_by_reversed"],
  ],
  [
    "finding the batch that a reversal takes back",
    async (ctx) =>
      expect([...(await readReversed(ctx, [await batch("r-b-10-1")])).values()]).toEqual(["b-10"]),
    ["batches_contract_address_seq_pk"],
  ],
  [
    "finding the batches that the reversals of a list take back",
    async (ctx) => {
      const rows = await hundredOf("r-b-%1-0");
      const reversals = rows.map((row) => ({
        contractAddress: row.contract_address,
        reversesSeq: row.reverses_seq,
      }));
      expect((await readReversed(ctx, reversals)).size).toBe(100);
    },
    ["batches_contract_address_seq_pk"],
  ],
  [
    "finding how a page of a recipient's transfers refer to each other",
    async (ctx) => {
      const [paid, reversals] = [await hundredOf("b-%1"), await hundredOf("r-%")];
      const page = [...paid, ...reversals].map((row) => ({
        contract_address: row.contract_address,
        batch_seq: row.seq,
        is_reversal: row.reverses_seq !== null,
      }));
      const to = addressToBytes(wallet(Number(paid[5]!.seq) * 2));
      const { reverses, reversedBy } = await readReversalLinks(ctx.db, to, page);
      expect([reverses.size, reversedBy.size]).toEqual([100, 1]);
    },
    ["batches_contract_address_seq_pk", "reversed_transfers_by_recipient"],
  ],
  [
    "finding what is already taken back of a batch, and what its recipients have left",
    async (ctx) => {
      const { transfers } = await describeReversible(ctx, LIMITS, key("b-11"));
      expect(transfers.map(({ reversedBy }) => reversedBy?.id ?? null)).toEqual(["r-b-11-0", null]);
    },
    ["reversed_transfers_once", "accounts_address_point_type_pk", "batches_contract_address_seq_pk"],
  ],
  [
    "a dry run",
    (ctx) => dryRunReversal(ctx, LIMITS, key("b-1")),
    ["reversed_transfers_once", "accounts_address_point_type_pk"],
  ],
  [
    "a reversal, which reserves at the recipients,",
    (ctx) => reverseBatch(ctx, LIMITS, { ...key("b-1"), reversalId: "new" }),
    ["batches_id", "batch_transfers_batch_seq_contract_address_pk", "batches_contract_address_seq_pk"],
  ],
  [
    "cancelling a reversal, which releases the recipients,",
    (ctx) => cancelBatch(ctx, key("new")),
    ["batches_id", "batch_transfers_batch_seq_contract_address_pk", "reversed_transfers_once"],
  ],
];

test.each(CASES)(
  "%s reads ranges of indexes by batch or recipient, and scans no table",
  async (_, run, indexes) => {
    const scans = await scansOf(run);
    expect(scans.filter((node) => !isByKey(node))).toEqual([]);
    expect(scans.map((node) => node["Index Name"])).toEqual(expect.arrayContaining(indexes));
  },
);
