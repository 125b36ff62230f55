import type { Fragment } from "postgres";
import type { Database } from "@/db/client";

/**
 * The contracts of one shard, for the condition of a statement. On Citus, a statement that locks, recurses or changes rows
 * must pin every table in it to one shard. Null on a single Postgres, where the condition would make finalizing a third
 * slower.
 */
export type ShardContracts = readonly Buffer[] | null;

/** `and <column> = any(…)`, or nothing. The array is bound as `bytea[]`, since Citus does not route by a cast from text. */
export function onShard({ sql }: Pick<Database, "sql">, contracts: ShardContracts, column: string) {
  return contracts === null ? sql`` : sql`and ${sql(column)} = any(${asArray(contracts)}::bytea[])`;
}

const asArray = (addresses: readonly Buffer[]) =>
  `{${addresses.map((each) => `"\\\\x${each.toString("hex")}"`).join(",")}}`;

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

/** Number of due rows read to find the shards that have work. */
const DUE_CHECKED_MAX = 5000;

/** Batches that need work, and since when. `abandoned`: their lease has expired. */
const DUE = {
  batches: ({ sql }: Database) => sql`
    select contract_address, finalize_at as since from batches
    where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()`,
  abandoned: ({ sql }: Database) => sql`
    select contract_address, lease_until as since from batches where status = 'FINALIZING' and lease_until < now()`,
} as const;

/** The contracts with due batches, grouped by shard, longest due first. On a single Postgres: one entry, null. */
export async function shardsWithWork(db: Database, work: keyof typeof DUE): Promise<ShardContracts[]> {
  return await shardsOf(db, db.sql`${DUE[work](db)} order by since limit ${DUE_CHECKED_MAX}`);
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
