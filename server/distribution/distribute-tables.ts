import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { postgresError } from "@/server/kernel/database-errors";
import {
  DATABASE_SETTINGS,
  databaseStatement,
  refused,
  requireCluster,
  requireNoOtherSession,
  SERVER_SETTINGS,
  serverStatement,
  wrongSettings,
} from "./cluster";

/**
 * The distributed tables and their distribution columns, all bytes in one colocation group: addresses, or the
 * ID of a snapshot or an allocation. A contract's batches, transfers, issuances and account are on one shard,
 * and so are a recipient's account and index rows. A table comes after those that its foreign keys refer to.
 */
export const DISTRIBUTED_TABLES = {
  batches: "contract_address",
  batch_transfers: "contract_address",
  transfer_references: "contract_address",
  batch_metadata: "contract_address",
  batch_reviews: "contract_address",
  contract_changes: "contract_address",
  issuances: "contract_address",
  contracts: "address",
  accounts: "address",
  recipient_transfers: "to_address",
  ledger_checkpoint_accounts: "address",
  webhook_endpoints: "contract_address",
  webhook_deliveries: "contract_address",
  batch_uploads: "contract_address",
  payout_parts: "contract_address",
  batch_corrections: "contract_address",
  reversed_transfers: "contract_address",
  batch_roots: "contract_address",
  approval_rules: "contract_address",
  request_log: "contract_address",
  snapshot_holders: "snapshot_id",
  allocation_claims: "allocation_id",
  allocation_nodes: "allocation_id",
} as const satisfies Record<string, string>;

/**
 * The tables that stay on the coordinator although they are written in the same transaction as a shard, and
 * why. Citus must manage them. Otherwise the worker commits first, and a crash in between loses the row.
 */
export const MANAGED_TABLES = {
  audit_log: "one row per manual action; written with changes to batches, contracts and webhooks",
  bulk_jobs: "one row per preview or bulk action; read by changes to its batches",
  bulk_job_items:
    "a row per batch of a bulk action, for 90 days; its result is written with the batch's change",
  operator_tokens: "looked up by hash, for an hour; deleted when a contract's operator changes",
  staff: "people; changes of access are written with their audit rows",
  staff_invitations: "people; changes of access are written with their audit rows",
  staff_sessions: "people; signing out everywhere is written with its audit row",
  recipient_progress: "one row; updated with the recipient index",
  recipient_labels: "given by hand; changes are written with their audit rows",
  review_progress: "one row; updated with the reviews it covers",
  ledger_checkpoint: "one row; updated with the balances in ledger_checkpoint_accounts",
  ledger_checks: "one row per check; a check's result is written with the checkpoint that it moves",
  snapshots: "one row per snapshot; progress is written with the holders that it counts",
  allocations: "one row per allocation; a result is written with the claims that it counts",
  alerts: "three months of alerts; who has seen an alert is deleted when it becomes critical",
  alert_views: "one row per card and person who has seen it; deleted with a change of the alert",
} as const satisfies Record<string, string>;

/** The tables that stay on the coordinator, and why. */
export const LOCAL_TABLES = {
  access_tokens: "looked up by token hash, before the contract is known; about one row per contract",
  spent_challenges: "rows live for a minute",
  rate_limits: "unlogged, one row per caller",
  finalizer_runs: "a month of runs",
  finalizer_heartbeat: "one row",
  alert_jobs: "a few rows",
  ...MANAGED_TABLES,
} as const satisfies Record<string, string>;

export interface PlacedTable {
  table: string;
  /** The distribution column. Null for a table that stays on the coordinator. */
  by: string | null;
  /** How long it took. Null if the table was already in place. */
  seconds: number | null;
}

export interface Distribution {
  workers: string[];
  shards: number;
  tables: PlacedTable[];
  settings: string[];
  /** Statements that the current role may not run, for an administrator. */
  forAdministrator: string[];
}

interface DistributeOptions {
  /** Shards per table, fixed on the first call. The default depends on the number of workers. */
  shards?: number;
  requireAlone?: boolean;
  onTable?: (table: string) => void;
}

/**
 * Transactions over several workers cost more with each shard. But moving a shard is easier than splitting
 * one, so there are enough shards to grow from two workers to eight.
 */
const SHARDS_PER_WORKER = 4;
const SHARDS_MIN = 8;

const DISTRIBUTE_LOCK = 7_262_543;
const LOCK_NOT_AVAILABLE = "55P03";
const NOT_PERMITTED = "42501";

/**
 * Moves the tables and their rows to the workers of a Citus cluster, all or nothing. Tables that are already
 * in place stay. Stop the service first: moving blocks writers, and open sessions keep their old settings.
 * @throws DomainError `validation_failed` for a cluster that is not ready, or another distribution
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
  // First: after work on several shards, Citus cannot change a table with a foreign key to a local one.
  for (const table of Object.keys(MANAGED_TABLES)) await place(table, null, () => keepWhole(tx, table));
  for (const [table, by] of Object.entries(DISTRIBUTED_TABLES))
    await place(table, by, () => distribute(tx, table, by));
  // Citus leaves an unreadable copy of the rows on the coordinator. Last, and in reverse: a table that a
  // local one refers to cannot be emptied.
  for (const { table, by, seconds } of tables.toReversed())
    if (by !== null && seconds !== null)
      await tx`select truncate_local_data_after_distributing_table(${table}::text::regclass)
        where pg_relation_size(${table}::text::regclass) > 0`;
  return { workers, shards, tables, ...settled };
}

async function distribute(tx: TransactionSql, table: string, by: string): Promise<void> {
  const group = table === "batches" ? "none" : "batches";
  await tx`
    select create_distributed_table(${table}::text::regclass, ${by}::text, colocate_with => ${group}::text)`;
}

/** Foreign keys bring their other table along. Restores the identity sequence, which Citus resets to 1. */
async function keepWhole(tx: TransactionSql, table: string): Promise<void> {
  const [identity] = await tx<{ sequence: string; last: string | null }[]>`
    select sequence, pg_sequence_last_value(sequence::regclass)::text as last
    from pg_attribute, pg_get_serial_sequence(${table}::text, attname::text) as sequence
    where attrelid = ${table}::text::regclass and attidentity <> ''`;
  await tx`
    select citus_add_local_table_to_metadata(${table}::text::regclass, cascade_via_foreign_keys => true)`;
  if (identity?.last) await tx`select setval(${identity.sequence}::text::regclass, ${identity.last}::bigint)`;
}

interface Placed {
  table: string;
  by: string | null;
  isReference: boolean;
  isWithBatches: boolean;
}

async function placedBefore(tx: TransactionSql): Promise<Map<string, Placed>> {
  const names = [...Object.keys(DISTRIBUTED_TABLES), ...Object.keys(MANAGED_TABLES)];
  const rows = await tx<Placed[]>`
    select name as table, repmodel = 't' as "isReference",
      case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as by,
      coalesce(colocationid = (
        select colocationid from pg_dist_partition where logicalrelid = to_regclass('batches')
      ), false) as "isWithBatches"
    from unnest(${`{${names}}`}::text::text[]) as name
      join pg_dist_partition on logicalrelid = to_regclass(name)`;
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
