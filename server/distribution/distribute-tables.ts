import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { postgresError } from "../kernel/database-errors";
import {
  DATABASE_SETTINGS,
  databaseStatement,
  SERVER_SETTINGS,
  serverStatement,
  wrongSettings,
} from "./cluster-settings";
import { refused, requireCluster, requireNoOtherSession } from "./require-cluster";
import { DISTRIBUTED_TABLES, MANAGED_TABLES } from "./tables";

export interface PlacedTable {
  table: string;
  /** The distribution column. Null for a table that stays on the coordinator. */
  by: string | null;
  /** How long it took. Null if the table was already in place. */
  seconds: number | null;
}

export interface Distribution {
  /** `host:port` of each worker that holds shards. */
  workers: string[];
  shards: number;
  tables: PlacedTable[];
  /** Settings that this call changed. */
  settings: string[];
  /** Statements that the current role may not run, for an administrator. */
  forAdministrator: string[];
}

interface DistributeOptions {
  /** Shards per table, fixed on the first call. The default depends on the number of workers. */
  shards?: number;
  /** Refuse while other sessions are connected. */
  requireAlone?: boolean;
  onTable?: (table: string) => void;
}

/**
 * Transactions over several workers cost more with each shard. But moving a shard is easier than splitting one, so there
 * are enough shards to grow from two workers to eight.
 */
const SHARDS_PER_WORKER = 4;
const SHARDS_MIN = 8;

const DISTRIBUTE_LOCK = 7_262_543;
const LOCK_NOT_AVAILABLE = "55P03";
const NOT_PERMITTED = "42501";

/**
 * Moves the tables and their rows to the workers of a Citus cluster, all or nothing. Tables that are already in place stay.
 * Stop the service first: moving blocks writers, and open sessions keep their old settings.
 * @throws DomainError `validation_failed` when the cluster is not ready, or a table is distributed differently
 */
export async function distributeTables(db: Database, options: DistributeOptions = {}): Promise<Distribution> {
  const placed = await db.sql.begin((tx) => placeTables(tx, options)).catch(explainLock);
  const server = await setServerSettings(db);
  return {
    ...placed,
    settings: [...placed.settings, ...server.settings],
    forAdministrator: [...placed.forAdministrator, ...server.forAdministrator],
  };
}

async function placeTables(tx: TransactionSql, options: DistributeOptions): Promise<Distribution> {
  const nodes = await requireCluster(tx);
  if (options.requireAlone) await requireNoOtherSession(tx);
  const workers = nodes.filter(({ holdsShards }) => holdsShards).map(({ address }) => address);
  await tx`select pg_advisory_xact_lock(${DISTRIBUTE_LOCK}::bigint)`;
  const known = await placedBefore(tx);
  refuseOtherwisePlaced(known);
  const shards = await chooseShards(tx, workers.length, options.shards);
  const settled = await setDatabaseSettings(tx);
  await tx`select set_config('citus.enable_unsafe_triggers', 'on', true),
    set_config('citus.shard_count', ${String(shards)}, true)`;
  const tables: PlacedTable[] = [];
  const place = async (table: string, by: string | null, work: () => Promise<unknown>) => {
    if (known.has(table)) return tables.push({ table, by, seconds: null });
    options.onTable?.(table);
    const begunAt = performance.now();
    await work();
    return tables.push({ table, by, seconds: (performance.now() - begunAt) / 1000 });
  };
  // First, because Citus cannot change a table with a foreign key to a local table after working on several shards in parallel.
  for (const table of Object.keys(MANAGED_TABLES)) await place(table, null, () => keepWhole(tx, table));
  for (const [table, by] of Object.entries(DISTRIBUTED_TABLES))
    await place(table, by, () => distribute(tx, table, by));
  // Last, and in reverse: a table that a local one refers to cannot be emptied.
  for (const { table, by, seconds } of tables.toReversed())
    if (by !== null && seconds !== null) await dropLocalCopy(tx, table);
  return { workers, shards, tables, ...settled };
}

async function distribute(tx: TransactionSql, table: string, by: string): Promise<void> {
  const group = table === "batches" ? "none" : "batches";
  await tx`select create_distributed_table(${table}::text::regclass, ${by}::text, colocate_with => ${group}::text)`;
}

/** Citus leaves an unreadable copy of the rows on the coordinator. */
async function dropLocalCopy(tx: TransactionSql, table: string): Promise<void> {
  await tx`select truncate_local_data_after_distributing_table(${table}::text::regclass)
    where pg_relation_size(${table}::text::regclass) > 0`;
}

/** Foreign keys bring their other table along. Citus resets the table's identity sequence to 1, so this restores it. */
async function keepWhole(tx: TransactionSql, table: string): Promise<void> {
  const [identity] = await tx<{ sequence: string; last: string | null }[]>`
    select sequence, pg_sequence_last_value(sequence::regclass)::text as last
    from pg_attribute, pg_get_serial_sequence(${table}::text, attname::text) as sequence
    where attrelid = ${table}::text::regclass and attidentity <> ''`;
  await tx`select citus_add_local_table_to_metadata(${table}::text::regclass, cascade_via_foreign_keys => true)`;
  if (identity?.last) await tx`select setval(${identity.sequence}::text::regclass, ${identity.last}::bigint)`;
}

/** Where a table was before this call. */
interface Placed {
  table: string;
  /** Null without a distribution column. */
  by: string | null;
  isReference: boolean;
  isWithBatches: boolean;
}

async function placedBefore(tx: TransactionSql): Promise<Map<string, Placed>> {
  const names = [...Object.keys(DISTRIBUTED_TABLES), ...Object.keys(MANAGED_TABLES)];
  const rows = await tx<Placed[]>`
    select name as table, repmodel = 't' as "isReference",
      case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as by,
      coalesce(colocationid = (select colocationid from pg_dist_partition where logicalrelid = to_regclass('batches')), false)
        as "isWithBatches"
    from unnest(${`{${names}}`}::text::text[]) as name join pg_dist_partition on logicalrelid = to_regclass(name)`;
  return new Map(rows.map((row) => [row.table, row]));
}

/** Citus cannot undistribute a table with an identity column. */
const DISTRIBUTE_ANOTHER = "Distribute a new database, then restore a backup of this one into it.";

function refuseOtherwisePlaced(known: ReadonlyMap<string, Placed>): void {
  for (const [table, by] of Object.entries(DISTRIBUTED_TABLES)) {
    const placed = known.get(table);
    if (placed && placed.by !== by)
      throw refused(
        `${table} is ${placementOf(placed)}, but this version needs it distributed by ${by}.`,
        DISTRIBUTE_ANOTHER,
      );
    if (placed && !placed.isWithBatches)
      throw refused(`${table} is distributed, but not colocated with batches.`, DISTRIBUTE_ANOTHER);
  }
  for (const table of Object.keys(MANAGED_TABLES)) {
    const placed = known.get(table);
    if (placed && (placed.by !== null || placed.isReference))
      throw refused(
        `${table} is ${placementOf(placed)}, but this version needs it only on the coordinator.`,
        DISTRIBUTE_ANOTHER,
      );
  }
}

function placementOf({ by, isReference }: Placed): string {
  if (by !== null) return `distributed by ${by}`;
  return isReference ? "a reference table" : "a local table";
}

async function chooseShards(
  tx: TransactionSql,
  workers: number,
  wanted: number | undefined,
): Promise<number> {
  const [before] = await tx<{ shards: number }[]>`
    select count(*)::int as shards from pg_dist_shard where logicalrelid = to_regclass('batches')`;
  const { shards } = before!;
  if (shards === 0) return wanted ?? Math.max(SHARDS_MIN, SHARDS_PER_WORKER * workers);
  if (wanted !== undefined && wanted !== shards)
    throw refused(
      `The tables already have ${shards} shards.`,
      "Omit --shards. To split shards, use `citus_split_shard_by_split_points`.",
    );
  return shards;
}

type Settled = Pick<Distribution, "settings" | "forAdministrator">;

async function setDatabaseSettings(tx: TransactionSql): Promise<Settled> {
  const [database] = await tx<{ name: string; isOurs: boolean }[]>`
    select quote_ident(datname) as name, pg_has_role(datdba, 'usage') as "isOurs"
    from pg_database where datname = current_database()`;
  const wrong = await wrongSettings(tx, DATABASE_SETTINGS);
  const statements = wrong.map((setting) => databaseStatement(database!.name, setting));
  if (!database!.isOurs) return { settings: [], forAdministrator: statements };
  for (const statement of statements) await tx.unsafe(statement);
  return { settings: wrong.map(nameAndValue), forAdministrator: [] };
}

/** `alter system` cannot run inside a transaction. */
async function setServerSettings({ sql }: Database): Promise<Settled> {
  const wrong = await wrongSettings(sql, SERVER_SETTINGS);
  if (wrong.length === 0) return { settings: [], forAdministrator: [] };
  const statements = wrong.map(serverStatement);
  try {
    for (const statement of statements) await sql.unsafe(statement);
    await sql`select pg_reload_conf()`;
    return { settings: wrong.map(nameAndValue), forAdministrator: [] };
  } catch (error) {
    if (postgresError(error)?.code !== NOT_PERMITTED) throw error;
    return { settings: [], forAdministrator: [...statements, "select pg_reload_conf()"] };
  }
}

const nameAndValue = ({ name, value }: { name: string; value: string }) => `${name} = ${value}`;

function explainLock(error: unknown): never {
  if (postgresError(error)?.code === LOCK_NOT_AVAILABLE)
    throw refused(
      "Another session holds a lock on a table.",
      "End that session (see pg_stat_activity), then run distribute again.",
    );
  throw error;
}
