import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { searchInSteps } from "../../kernel/search-in-steps";
import { addressToBytes } from "../../kernel/values/addresses";
import type { ListedBatch } from "../../kernel/values/batch-rows";
import { findUnindexedBatches, type UnindexedBatch } from "../../recipients/unindexed-transfers";
import type { BatchFilters } from "./console-schema";
import { LISTED_TEXT } from "./read-page";

// Two tables serve as indexes of batches: `recipient_transfers` has those that pay an address, `batch_reviews` the unusual ones.
// A list with one of these filters reads such a table in order of creation, and looks up each batch by its key. Joining instead
// would read all of a busy address's batches for one page.

/** Whether a list reads an index table. */
export const usesIndexTable = ({ recipient, unusual }: BatchFilters) =>
  recipient !== undefined || unusual === true;

/** Creation time and sequence number in an index table. */
export const INDEX_COLUMNS = { createdAt: sql`created_at`, seq: sql`batch_seq` };

interface IndexTable {
  /** A table with `INDEX_COLUMNS` and `contract_address`, and a condition. */
  entries: SQL;
  /** Batches that it does not have yet. */
  unindexed: readonly UnindexedBatch[];
  /** The filters that it does not answer. */
  others: BatchFilters;
}

/** The index table that a list reads. */
export async function indexTableOf(
  db: Database,
  { recipient, ...others }: BatchFilters,
): Promise<IndexTable> {
  if (recipient) {
    const address = addressToBytes(recipient);
    const unindexed = await findUnindexedBatches(db, address);
    return { entries: sql`recipient_transfers where to_address = ${address}`, unindexed, others };
  }
  const { contractAddress: _, unusual: __, ...rest } = others;
  return { entries: unusualEntries(others), unindexed: [], others: rest };
}

/** The unusual batches, of all contracts or one. */
export const unusualEntries = ({ contractAddress }: BatchFilters): SQL =>
  sql`batch_reviews where ${contractAddress ? sql`contract_address = ${addressToBytes(contractAddress)}` : sql`true`}`;

interface StepRange {
  /** Conditions on `INDEX_COLUMNS`. */
  range: SQL | undefined;
  descending: boolean;
}

/** CTEs that end in `step`: up to `rowsMost` keys of batches, in order. */
export function stepOf(
  { entries, unindexed }: IndexTable,
  { range, descending }: StepRange,
  rowsMost: number,
): SQL {
  const contracts = `{${unindexed.map(({ contractAddress }) => contractAddress.toString("hex")).join(",")}}`;
  const seqs = `{${unindexed.map(({ seq }) => seq).join(",")}}`;
  const times = `{${unindexed.map(({ createdAt }) => `"${createdAt}"`).join(",")}}`;
  const order = sql.raw(descending ? "desc" : "asc");
  const within = range ?? sql`true`;
  return sql`step as materialized (
      (select created_at, batch_seq, contract_address from ${entries} and ${within} order by created_at ${order}, batch_seq ${order} limit ${rowsMost})
      union all
      select created_at, batch_seq, contract_address from (
        select at as created_at, n as batch_seq, decode(contract, 'hex') as contract_address
        from unnest(${times}::text::timestamptz[], ${seqs}::text::bigint[], ${contracts}::text::text[]) as f (at, n, contract)
      ) as newer where ${within}
      order by created_at ${order}, batch_seq ${order} limit ${rowsMost}
    )`;
}

/** A select of columns of the batches of `step`. GROUP BY makes it a lookup by key. */
export const batchesOfStep = (columns: SQL, where?: SQL): SQL => sql`
  select b.* from step cross join lateral (
    select ${columns} from batches
    where contract_address = step.contract_address and seq = step.batch_seq and ${where ?? sql`true`}
    group by contract_address, seq
  ) b`;

interface Edge {
  createdAt: string;
  seq: string;
}

/** Batches of an index table that match the conditions on `batches`, found in steps. */
export function readIndexTable(
  db: Database,
  table: IndexTable,
  { range, descending }: StepRange,
  where: SQL | undefined,
  rowsLeast: number,
) {
  const beyond = sql.raw(descending ? "<" : ">");
  return searchInSteps<ListedBatch, Edge>(null, rowsLeast, async (edge, entriesMost) => {
    const after =
      edge && sql`(created_at, batch_seq) ${beyond} (${edge.createdAt}::timestamptz, ${edge.seq}::bigint)`;
    const rest = { range: sql`${range ?? sql`true`} and ${after ?? sql`true`}`, descending };
    const rows = await readStep(db, stepOf(table, rest, entriesMost), where, descending);
    const [{ searched, edgeAt, edgeSeq } = { searched: 0, edgeAt: "", edgeSeq: "" }] = rows;
    return {
      rows: rows.filter(({ id }) => id !== null),
      searched,
      edge: { createdAt: edgeAt, seq: edgeSeq },
    };
  });
}

interface StepRow extends ListedBatch, Record<string, unknown> {
  searched: number;
  edgeAt: string;
  edgeSeq: string;
}

/** Without a match, one row of nulls with the edge; no row at the end of the index. */
function readStep(db: Database, step: SQL, where: SQL | undefined, descending: boolean) {
  const order = sql.raw(descending ? "desc" : "asc");
  const back = sql.raw(descending ? "asc" : "desc");
  return db.orm.execute<StepRow>(sql`
    with ${step}, edge as materialized (
      select created_at, batch_seq, (select count(*)::int from step) as searched from step
      order by created_at ${back}, batch_seq ${back} limit 1
    ), found as materialized (${batchesOfStep(LISTED_TEXT, where)})
    select e.searched, e.created_at as "edgeAt", e.batch_seq as "edgeSeq", f.* from edge e left join found f on true
    order by f."createdAt" ${order}, f.seq ${order}`);
}
