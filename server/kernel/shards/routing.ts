import type { Fragment } from "postgres";
import type { Database } from "@/db/client";

/**
 * The contracts of one shard, as a condition of a statement. A statement that locks, recurses or changes rows runs on Citus
 * only when every table in it is pinned to one shard. Null on one Postgres: no condition, which there costs a third of the
 * speed of finalizing.
 */
export type ShardContracts = readonly Buffer[] | null;

/** `and <column> = any(…)`, or nothing. The array is bound as `bytea[]`: Citus does not route by a cast from text. */
export function onShard({ sql }: Pick<Database, "sql">, contracts: ShardContracts, column: string) {
  return contracts === null ? sql`` : sql`and ${sql(column)} = any(${asArray(contracts)}::bytea[])`;
}

const asArray = (addresses: readonly Buffer[]) =>
  `{${addresses.map((each) => `"\\\\x${each.toString("hex")}"`).join(",")}}`;

/** While tables are not distributed, how long that is believed: `ops distribute` may run beside the service. */
const BELIEVED_MS = 10_000;

const known = new WeakMap<object, { distributed: boolean; until: number }>();

/** Whether Citus has distributed the tables. The catalog says so, no setting does; it is asked again while it says no. */
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

/** Due rows looked at to find the shards that have some. */
const DUE_LOOKED_AT = 5000;

/** What of `batches` is work, and since when. `abandoned`: their lease ended. */
const DUE = {
  batches: ({ sql }: Database) => sql`
    select contract_address, finalize_at as since from batches
    where status = 'PENDING' and held_at is null and finalize_at <= now()`,
  abandoned: ({ sql }: Database) => sql`
    select contract_address, lease_until as since from batches where status = 'FINALIZING' and lease_until < now()`,
} as const;

/** The contracts with batches that are due, shard by shard, the longest due first. One entry, null, on one Postgres. */
export async function shardsWithWork(db: Database, work: keyof typeof DUE): Promise<ShardContracts[]> {
  return await shardsOf(db, db.sql`${DUE[work](db)} order by since limit ${DUE_LOOKED_AT}`);
}

/**
 * The contracts of some rows, shard by shard, the least `since` first. One entry, null, on one Postgres, which reads nothing.
 * @param rows a select of `contract_address` and `since`
 */
export async function shardsOf(db: Database, rows: Fragment): Promise<ShardContracts[]> {
  if (!(await isDistributed(db))) return [null];
  return (await groupByShard(db, rows)).map(({ contracts }) => contracts);
}

/** The same, with the number of rows. Needs Citus. */
export function groupByShard({ sql }: Database, rows: Fragment) {
  return sql<{ contracts: Buffer[]; rows: number }[]>`
    select array_agg(distinct contract_address) as contracts, count(*)::int as rows from (${rows}) work
    group by get_shard_id_for_distribution_column('batches'::regclass, contract_address) order by min(since)`;
}
