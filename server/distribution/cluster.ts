import type { Sql, TransactionSql } from "postgres";
import { schemaIsCurrent } from "@/db/migrate";
import { DomainError } from "@/terms/problems";

export interface ClusterNode {
  /** `host:port`. */
  address: string;
  isCoordinator: boolean;
  holdsShards: boolean;
  /** Shards of `batches`. Every other table of its group has the same number. */
  shards: number;
  /** Null when the coordinator could not connect to it as this role. */
  state: NodeState | null;
}

export interface NodeState {
  maxConnections: number;
  maxPreparedTransactions: number;
  fsync: string;
  walLevel: string;
  /** Prepared but uncommitted transactions of this database. */
  prepared: number;
  oldestPreparedSeconds: number | null;
}

const ASKED = `select json_build_object(
  'maxConnections', current_setting('max_connections')::int,
  'maxPreparedTransactions', current_setting('max_prepared_transactions')::int,
  'fsync', current_setting('fsync'), 'walLevel', current_setting('wal_level'),
  'prepared', count(gid), 'oldestPreparedSeconds', floor(extract(epoch from now() - min(prepared))))
from pg_prepared_xacts where database = current_database()`;

/** The coordinator and the active workers, with their current state. */
export async function readNodes(sql: Sql | TransactionSql): Promise<ClusterNode[]> {
  return await sql<ClusterNode[]>`
    select nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator",
      shouldhaveshards as "holdsShards",
      (select count(*)::int from pg_dist_placement p join pg_dist_shard s using (shardid)
        where p.groupid = n.groupid and s.logicalrelid = to_regclass('batches')) as shards,
      case when said.success then said.result::json end as state
    from pg_dist_node n left join run_command_on_all_nodes(${ASKED}) as said using (nodeid)
    where n.noderole = 'primary' and n.isactive order by groupid`;
}

interface ClusterSetting {
  name: string;
  value: string;
  /** A shorter time is fine too. */
  isLongest?: true;
}

/** Settings of the coordinator's database. Its owner may set them. */
export const DATABASE_SETTINGS: readonly ClusterSetting[] = [
  // Writing shards in a fixed order prevents deadlocks.
  { name: "citus.multi_shard_modify_mode", value: "sequential" },
  // One connection and one prepared transaction per worker.
  { name: "citus.max_adaptive_executor_pool_size", value: "1" },
  // A connection to an unresponsive worker must time out before the caller does.
  { name: "citus.node_connection_timeout", value: "3s", isLongest: true },
  // Required for row triggers on shards. Ours read only their own row.
  { name: "citus.enable_unsafe_triggers", value: "on" },
  // Citus estimates 1,000 rows per shard query, so JIT would compile queries that read ten.
  { name: "jit", value: "off" },
];

/** Settings of the coordinator's server. Only a superuser may set them. */
export const SERVER_SETTINGS: readonly ClusterSetting[] = [
  // Transactions left prepared by a crash keep rows locked until they are recovered.
  { name: "citus.recover_2pc_interval", value: "5s", isLongest: true },
];

/** Settings that differ on this connection. One that was opened before a change has the old values. */
export async function wrongSettings(
  sql: Sql | TransactionSql,
  wanted: readonly ClusterSetting[],
): Promise<ClusterSetting[]> {
  const wrong: ClusterSetting[] = [];
  for (const setting of wanted) {
    const [row] = await sql<{ isRight: boolean | null }[]>`
      select case when ${setting.isLongest ?? false}::boolean
          then found::interval between '1 ms' and ${setting.value}::text::interval
          else found = ${setting.value}::text end as "isRight"
      from nullif(current_setting(${setting.name}::text, true), '') as found`;
    if (!row!.isRight) wrong.push(setting);
  }
  return wrong;
}

export const serverStatement = ({ name, value }: ClusterSetting) => `alter system set ${name} = '${value}'`;

export const databaseStatement = (database: string, { name, value }: ClusterSetting) =>
  `alter database ${database} set ${name} = '${value}'`;

/** The oldest version accepted, and the one that was tested. */
export const CITUS_MAJOR = 13;

/** @throws DomainError `validation_failed` with what the cluster lacks to hold the tables, and a remedy */
export async function requireCluster(tx: TransactionSql): Promise<ClusterNode[]> {
  await requireCitus(tx);
  await requireCoordinator(tx);
  const nodes = await readNodes(tx);
  if (!nodes.some(({ isCoordinator, holdsShards }) => !isCoordinator && holdsShards))
    throw refused(
      "The coordinator has no worker that can hold shards.",
      "Run `select citus_add_node('<host>', <port>)` for each worker.",
    );
  await requireAnswers(tx, nodes);
  const { current } = await schemaIsCurrent(tx as unknown as Parameters<typeof schemaIsCurrent>[0]);
  if (!current)
    throw refused(
      "The schema is not up to date.",
      "Run `npm run -s ops -- migrate`, then run distribute again.",
    );
  return nodes;
}

/** An error that refuses the whole command, in one line. */
export const refused = (what: string, remedy: string) =>
  new DomainError("validation_failed", `${what} Nothing was changed. ${remedy}`);

async function requireCitus(tx: TransactionSql): Promise<void> {
  const [citus] = await tx<{ version: string; isLoaded: boolean }[]>`
    select extversion as version, current_setting('citus.version', true) is not null as "isLoaded"
    from pg_extension where extname = 'citus'`;
  if (!citus)
    throw refused(
      "The citus extension is not installed in this database.",
      "Install Citus on every node, run `create extension citus`, add the workers, then run distribute " +
        "again. A single Postgres does not need it.",
    );
  if (!citus.isLoaded)
    throw refused(
      "Citus is not loaded.",
      "Put citus first in shared_preload_libraries on every node, then restart the nodes.",
    );
  if (Number.parseInt(citus.version, 10) < CITUS_MAJOR)
    throw refused(
      `Citus ${citus.version} is older than ${CITUS_MAJOR}, the oldest supported version.`,
      "Upgrade Citus on every node and run `alter extension citus update`.",
    );
}

async function requireCoordinator(tx: TransactionSql): Promise<void> {
  const [here] = await tx<{ isWorker: boolean; isKnown: boolean }[]>`
    select (select groupid <> 0 from pg_dist_local_group) as "isWorker",
      exists (select 1 from pg_dist_node where groupid = 0) as "isKnown"`;
  if (here!.isWorker)
    throw refused("DATABASE_URL points to a worker.", "Set it to the coordinator's address.");
  if (!here!.isKnown)
    throw refused(
      "The coordinator's address is not set in Citus.",
      "Run `select citus_set_coordinator_host('<host>', <port>)` there, " +
        "with a host that the workers can reach.",
    );
}

async function requireAnswers(tx: TransactionSql, nodes: readonly ClusterNode[]): Promise<void> {
  const silent = nodes.filter(({ state }) => state === null).map(({ address }) => address);
  if (silent.length > 0) {
    const [row] = await tx<{ role: string }[]>`select current_user::text as role`;
    throw refused(
      `The coordinator cannot connect as ${row!.role} to ${silent.join(", ")}.`,
      "Check that the node is up, has that role, and accepts it from the coordinator (pg_hba.conf, " +
        "and a password in .pgpass).",
    );
  }
  const unprepared = nodes.filter(({ state }) => state?.maxPreparedTransactions === 0);
  if (unprepared.length > 0)
    throw refused(
      `max_prepared_transactions is 0 on ${unprepared.map(({ address }) => address).join(", ")}.`,
      "Set it to at least max_connections and restart the node.",
    );
}

/** They would block, and keep their old settings. @throws DomainError `validation_failed` */
export async function requireNoOtherSession(tx: TransactionSql): Promise<void> {
  // An ordinary role cannot see others' backend_type. Server processes have no role, or a Citus name.
  const others = await tx<{ program: string; sessions: number }[]>`
    select coalesce(nullif(application_name, ''), 'unnamed') || ' as ' || usename as program,
      count(*)::int as sessions
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usename is not null
      and coalesce(backend_type = 'client backend', true) and application_name !~* '^citus'
    group by 1 order by 2 desc`;
  if (others.length === 0) return;
  const list = others.map(({ program, sessions }) => `${sessions} of ${program}`).join(", ");
  throw refused(
    `Other sessions are connected to the database: ${list}.`,
    "Stop the service first. If none of these sessions belong to the service, use --yes.",
  );
}
