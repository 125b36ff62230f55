import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { ListedBatch } from "../../kernel/values/batch-rows";
import type { FreshBatch } from "../../recipients/find-fresh";
import { LISTED_TEXT } from "./read-page";

/** Max index entries that one page searches for batches that also match the other filters. */
export const SEARCHED_MAX = 20_000;
const STEP_MAX = 5_000;
const STEP_GROWTH = 4;

/** Creation time and sequence number of a batch in an index that is walked. */
export const INDEX_PLACE = { createdAt: sql`created_at`, seq: sql`batch_seq` };

/** The recipient index's entries of an address. */
export const ofRecipient = (address: Buffer): SQL => sql`recipient_transfers where to_address = ${address}`;

/** The unusual batches, of all contracts or one. */
export const ofReviews = (contract: Buffer | undefined): SQL =>
  sql`batch_reviews where ${contract ? sql`contract_address = ${contract}` : sql`true`}`;

export interface Walk {
  /** A table with the columns of `INDEX_PLACE` and `contract_address`, and a condition: `ofRecipient` or `ofReviews`. */
  entries: SQL;
  /** Batches that the index does not have yet. */
  fresh: readonly FreshBatch[];
  /** Conditions on `batches`. */
  where: SQL | undefined;
  /** Conditions on the columns of `INDEX_PLACE`. */
  range: SQL | undefined;
  descending: boolean;
  rowsLeast: number;
}

interface Edge {
  createdAt: string;
  seq: string;
}

interface WalkedRow extends ListedBatch {
  searched: number;
  edgeAt: string;
  edgeSeq: string;
}

/**
 * The batches that pay an address or are unusual, in the order of that index, each looked up by key. Joining instead would
 * read all of a busy address's batches for one page. `searchedTo` is where the search stopped at `SEARCHED_MAX`; null if it
 * found enough rows or reached the end.
 */
export async function walkIndex(
  db: Database,
  walk: Walk,
): Promise<{ rows: ListedBatch[]; searchedTo: Edge | null }> {
  const rows: ListedBatch[] = [];
  let edge: Edge | null = null;
  let searched = 0;
  for (let step = walk.rowsLeast; searched < SEARCHED_MAX; step = Math.min(step * STEP_GROWTH, STEP_MAX)) {
    const found = await readStep(db, walk, edge, step);
    const [first] = found;
    if (!first) return { rows, searchedTo: null };
    rows.push(...found.filter(({ id }) => id !== null));
    if (rows.length >= walk.rowsLeast || first.searched < step) return { rows, searchedTo: null };
    edge = { createdAt: first.edgeAt, seq: first.edgeSeq };
    searched += first.searched;
  }
  return { rows, searchedTo: edge };
}

/** Without a match, one row of nulls with the edge; no row at the end of the index. */
async function readStep(db: Database, walk: Walk, after: Edge | null, rowsMost: number) {
  const position = after && sql`(${after.createdAt}::timestamptz, ${after.seq}::bigint)`;
  const beyond =
    position &&
    (walk.descending
      ? sql`(created_at, batch_seq) < ${position}`
      : sql`(created_at, batch_seq) > ${position}`);
  const order = sql.raw(walk.descending ? "desc" : "asc");
  const back = sql.raw(walk.descending ? "asc" : "desc");
  return await db.orm.execute<WalkedRow & Record<string, unknown>>(sql`
    with ${stepOf({ ...walk, beyond, rowsMost })}, edge as materialized (
      select created_at, batch_seq, (select count(*)::int from step) as searched from step
      order by created_at ${back}, batch_seq ${back} limit 1
    ), found as materialized (
      select b.* from step cross join lateral (
        select ${LISTED_TEXT} from batches
        where contract_address = step.contract_address and seq = step.batch_seq and ${walk.where ?? sql`true`}
        group by contract_address, seq
      ) b
    )
    select e.searched, e.created_at as "edgeAt", e.batch_seq as "edgeSeq", f.* from edge e left join found f on true
    order by f."createdAt" ${order}, f.seq ${order}`);
}

/** CTEs that end in `step`: up to `rowsMost` keys of batches, in order. */
export function stepOf({
  entries,
  fresh,
  range,
  beyond,
  descending,
  rowsMost,
}: Pick<Walk, "entries" | "fresh" | "range" | "descending"> & {
  beyond?: SQL | null;
  rowsMost: number;
}): SQL {
  const contracts = `{${fresh.map(({ contractAddress }) => contractAddress.toString("hex")).join(",")}}`;
  const seqs = `{${fresh.map((batch) => batch.seq).join(",")}}`;
  const times = `{${fresh.map((batch) => `"${batch.createdAt}"`).join(",")}}`;
  const order = sql.raw(descending ? "desc" : "asc");
  const within = sql`${range ?? sql`true`} and ${beyond ?? sql`true`}`;
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
