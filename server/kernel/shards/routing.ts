import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { addressArray } from "../values/addresses";

/**
 * The contracts of one shard, for the condition of a statement. On Citus, a statement that locks, recurses or changes rows
 * must pin every table in it to one shard. Null on a single Postgres, where the condition would make finalizing a third
 * slower.
 */
export type ShardContracts = readonly Buffer[] | null;

/** `and <column> = any(…)`, or nothing. The array is bound as `bytea[]`, since Citus does not route by a cast from text. */
export function onShard({ sql }: Pick<Database, "sql">, contracts: ShardContracts, column: string) {
  return contracts === null ? sql`` : sql`and ${sql(column)} = any(${addressArray(contracts)}::bytea[])`;
}

/** How long "not distributed" is cached. `ops distribute` may run while the service is up. */
const BELIEVED_MS = 10_000;

const known = new WeakMap<object, { distributed: boolean; until: number }>();

/** Whether Citus has distributed the tables, according to the catalog rather than a setting. "Yes" is cached for good. */
export async function isDistributed(db: Pick<Database, "sql">): Promise<boolean> {
  const before = known.get(db.sql);
  if (before && performance.now() < before.until) return before.distributed;
  const distributed = await readCatalog(db);
  known.set(db.sql, {
    distributed,
    until: distributed ? Number.POSITIVE_INFINITY : performance.now() + BELIEVED_MS,
  });
  return distributed;
}

async function readCatalog({ sql }: Pick<Database, "sql">): Promise<boolean> {
  const [citus] = await sql<{ here: boolean }[]>`select to_regclass('pg_dist_partition') is not null as here`;
  if (!citus!.here) return false;
  const [row] = await sql<{ distributed: boolean }[]>`
    select exists (select 1 from pg_dist_partition
      where logicalrelid = to_regclass('batches') and partmethod = 'h') as distributed`;
  return row!.distributed;
}

/**
 * The contracts of the rows, grouped by shard, earliest `since` first. On a single Postgres: one entry, null, without a read.
 * @param rows a select of `contract_address` and `since`
 */
export async function shardsOf(db: Database, rows: Fragment): Promise<ShardContracts[]> {
  if (!(await isDistributed(db))) return [null];
  return (await groupByShard(db, rows)).map(({ contracts }) => contracts);
}

/** The same with row counts. Requires Citus. */
export function groupByShard({ sql }: Database, rows: Fragment) {
  return sql<{ contracts: Buffer[]; rows: number }[]>`
    select array_agg(distinct contract_address) as contracts, count(*)::int as rows from (${rows}) work
    group by get_shard_id_for_distribution_column('batches'::regclass, contract_address) order by min(since)`;
}
