import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import { ENCODING, NEEDS_ENCODING, otherTables, schemaIsCurrent, someOf } from "@/db/migrate";
import { wrongSessionSettings } from "@/db/session-settings";
import {
  CITUS_MAJOR,
  type ClusterNode,
  DATABASE_SETTINGS,
  databaseStatement,
  readNodes,
  SERVER_SETTINGS,
  serverStatement,
  wrongSettings,
} from "@/server/distribution/cluster";
import { DISTRIBUTED_TABLES, MANAGED_TABLES } from "@/server/distribution/distribute-tables";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { neededConnections, settings } from "@/server/kernel/settings";
import { oldestDue } from "@/server/operations/oldest-due";

type State = { staff: number; contracts: number; overdue: number | null; tick_age: number | null };

export async function examine(db: Database): Promise<Finding[]> {
  const { DATABASE_URL, FINALIZER } = settings();
  const [server] = await db.sql<
    {
      version: string;
      major: number;
      encoding: string;
      fsync: string;
      readOnly: boolean;
      connections: number;
    }[]
  >`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
      current_setting('transaction_read_only')::boolean as "readOnly",
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as connections`;
  const { version, major, encoding, fsync, readOnly, connections } = server!;
  const { needed, pooled } = neededConnections(settings());
  const bound = pooled ? " from the pooler" : `, Postgres allows ${connections} in all`;
  const findings = [
    finding("settings", true, `valid, ${DATABASE_URL ? "external" : "embedded"} Postgres`),
    finding("Postgres", major >= 15, `version ${version}`, "version 15 or newer is required"),
    finding("encoding", encoding === ENCODING, encoding, NEEDS_ENCODING),
    finding("writes", !readOnly, readOnly ? "refused: this is a replica or a former primary" : "accepted"),
    finding("durability", fsync === "on", `fsync is ${fsync}`),
    finding(
      "connections",
      pooled || needed <= connections,
      `this machine needs up to ${needed}${bound}`,
      "lower DATABASE_POOL_MAX or WEB_CONCURRENCY, or raise max_connections",
    ),
  ];
  const session = await examineSession(db.sql);
  const rights = await examineRights(db);
  findings.push(session, rights);
  if (!session.ok || !rights.ok) return findings;
  const schema = await schemaIsCurrent(db.sql);
  findings.push(await examineSchema(db, schema));
  findings.push(...(await examineCitus(db.sql)));
  if (schema.current) findings.push(await examineSequences(db.sql));
  if (schema.current) findings.push(...(await examineUse(db, FINALIZER).catch(unreadable)));
  return findings;
}

/** Without a pooler the service asks for its settings at connect. */
async function examineSession(sql: Sql): Promise<Finding> {
  const wrong = await wrongSessionSettings(sql);
  if (wrong.length === 0)
    return finding("session", true, "dates, numbers and bytes as the service reads them");
  const differences = wrong.map(({ is }) => is).join(", ");
  const statements = wrong.map(({ statement }) => statement).join("; ");
  const remedy = `run ${statements}; then let the pooler reconnect and restart the service`;
  return finding("session", false, `${differences}, which the service cannot change behind a pooler`, remedy);
}

/** On Citus, each worker gives numbers from a range of its own, from 2⁴⁸ on. */
const WORKERS_FROM = 2n ** 48n;

/** Logical replication copies the rows of a table, but not the sequence that numbers them. */
async function examineSequences(sql: Sql): Promise<Finding> {
  const sequences = await sql<{ sequence: string; table: string; column: string }[]>`
    select format('%I.%I', nspname, s.relname) as sequence, format('%I.%I', nspname, t.relname) as table,
      format('%I', attname) as column
    from pg_namespace n join pg_class s on s.relnamespace = n.oid join pg_depend d on d.objid = s.oid
      and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid and t.relnamespace = n.oid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where nspname in ('public', 'drizzle') and has_table_privilege(t.oid, 'select')
      and case s.relkind when 'S' then has_sequence_privilege(s.oid, 'select') end
    order by 1`;
  const remedies: string[] = [];
  for (const { sequence, table, column } of sequences) {
    const newest = `(select max(${column}) from ${table} where ${column} < ${WORKERS_FROM})`;
    const [found] = await sql.unsafe<{ isBehind: boolean }[]>(
      `select coalesce(${newest} >= last_value + is_called::int, false) as "isBehind" from ${sequence}`,
    );
    if (found!.isBehind) remedies.push(`select setval('${sequence}', ${newest})`);
  }
  return finding(
    "sequences",
    remedies.length === 0,
    remedies.length === 0
      ? "ahead of their rows"
      : `${remedies.length} of ${sequences.length} are behind their rows, as after logical replication`,
    `run as the owner: ${remedies.join("; ")}`,
  );
}

type Schema = Awaited<ReturnType<typeof schemaIsCurrent>>;

async function examineSchema({ sql }: Database, { current, applied, expected }: Schema): Promise<Finding> {
  if (current) return finding("schema", true, "current");
  const others = applied === 0 ? await otherTables(sql) : [];
  if (others.length > 0)
    return finding("schema", false, `the database holds other tables (${someOf(others)}); use an empty one`);
  return finding("schema", false, `${applied} of ${expected} migrations; run \`npm run -s ops -- migrate\``);
}

const NAMED_MAX = 5;

async function examineRights({ sql }: Database): Promise<Finding> {
  const [row] = await sql<{ role: string; missing: string[] }[]>`
    select current_user::text as role, array(
      select nspname::text from pg_namespace
      where nspname in ('public', 'drizzle') and not has_schema_privilege(oid, 'usage')
      union all
      select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and case c.relkind
          when 'r' then not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
            and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
          when 'S' then not has_sequence_privilege(c.oid, 'usage') end
        or n.nspname = 'drizzle' and c.relkind = 'r' and not has_table_privilege(c.oid, 'select')
    ) as missing`;
  const { role, missing } = row!;
  if (missing.length === 0) return finding("rights", true, `${role} may read and write every table`);
  return finding(
    "rights",
    false,
    `${role} lacks rights on ${someOf(missing, NAMED_MAX)}`,
    "run deploy/grants.sql as the owner",
  );
}

/** On one Postgres every query fails. On Citus only those that need the missing worker do. */
function unreadable(error: unknown): Finding[] {
  if (!isDatabaseUnavailable(error)) throw error;
  return [finding("finalizer", false, "unknown while a node is not responding")];
}

async function examineUse(db: Database, finalizerIsOn: boolean): Promise<Finding[]> {
  const [state] = await db.sql<State[]>`
    select (select count(*)::int from staff where disabled_at is null) as staff,
      (select count(*)::int from contracts) as contracts,
      floor(extract(epoch from now() - ${oldestDue(db.sql)}))::int as overdue,
      (select floor(greatest(extract(epoch from now() - last_tick_at), 0))::int
        from finalizer_heartbeat) as tick_age`;
  const { staff, contracts, overdue, tick_age: tickAge } = state!;
  const how = finalizerIsOn ? "the host's own finalizer" : "the cron route";
  const ran = tickAge === null ? `${how} has never run` : `last ran ${tickAge} s ago`;
  const late = overdue === null ? "nothing is overdue" : `the oldest due batch is ${overdue} s overdue`;
  return [
    staff > 0
      ? finding("staff", true, `${staff} can sign in`)
      : finding("staff", false, "no team members yet", "add one with `user create`"),
    finding("contracts", true, `${contracts} registered`),
    finding("finalizer", overdue === null || overdue < 60, `${ran}; ${late}`),
  ];
}

export type Finding = { what: string; ok: boolean; detail: string };

/** @param remedy added to the detail of what is not ok */
const finding = (what: string, ok: boolean, detail: string, remedy?: string): Finding => ({
  what,
  ok,
  detail: ok || !remedy ? detail : `${detail}; ${remedy}`,
});

/** `citus.recover_2pc_interval` resolves transactions left by a crash long before this. */
const PREPARED_SECONDS_MAX = 30;

const DISTRIBUTE = "run `npm run -s ops -- distribute`";

/** Checks the cluster's nodes, shards, settings and prepared transactions. Returns nothing without Citus. */
export async function examineCitus(sql: Sql): Promise<Finding[]> {
  const [citus] = await sql<{ version: string | null; extension: string }[]>`
    select current_setting('citus.version', true) as version, extversion as extension
    from pg_extension where extname = 'citus'`;
  if (!citus) return [];
  const broken = (detail: string): Finding[] => [finding("Citus", false, detail)];
  if (!citus.version) return broken("not loaded; put citus first in shared_preload_libraries and restart");
  const [here] = await sql<{ isWorker: boolean }[]>`
    select groupid <> 0 as "isWorker" from pg_dist_local_group`;
  if (here!.isWorker) return broken("DATABASE_URL points to a worker; it must point to the coordinator");
  const tables = await examineTables(sql);
  const isRecent = Number.parseInt(citus.extension, 10) >= CITUS_MAJOR;
  const version = `version ${citus.version}, extension ${citus.extension}`;
  if (tables === null)
    return [finding("Citus", isRecent, `${version}; the tables are not distributed; ${DISTRIBUTE}`)];
  const nodes = await readNodes(sql);
  return [
    finding("Citus", isRecent, version),
    tables,
    ...nodes.map((node) => examineNode(node, nodes)),
    examinePrepared(nodes),
    await examineSettings(sql),
  ];
}

/** @returns null when nothing is distributed */
async function examineTables(sql: Sql): Promise<Finding | null> {
  const rows = await sql<{ name: string; shards: number }[]>`
    select relname::text as name,
      (select count(*)::int from pg_dist_shard s where s.logicalrelid = p.logicalrelid) as shards
    from pg_dist_partition p join pg_class on pg_class.oid = logicalrelid`;
  const shardsOf = new Map(rows.map(({ name, shards }) => [name, shards]));
  const shards = shardsOf.get("batches");
  if (shards === undefined) return null;
  const names = [...Object.keys(DISTRIBUTED_TABLES), ...Object.keys(MANAGED_TABLES)];
  const missing = names.filter((name) => !shardsOf.has(name));
  return missing.length === 0
    ? finding("shards", true, `${shards} of each distributed table`)
    : finding("shards", false, `${missing.join(", ")} not distributed yet`, DISTRIBUTE);
}

export function examineNode(node: ClusterNode, nodes: readonly ClusterNode[]): Finding {
  const what = `node ${node.address}`;
  const { state } = node;
  const kind = node.isCoordinator ? "coordinator" : "worker";
  const holds = `${kind} with ${node.shards} shards`;
  if (!state) return finding(what, false, `${holds}; not responding`);
  const sessionsMax = nodes.find(({ isCoordinator }) => isCoordinator)?.state?.maxConnections ?? 0;
  const wrong = [
    // The coordinator's fsync is checked with the general Postgres checks.
    !node.isCoordinator && state.fsync !== "on" && `fsync is ${state.fsync}`,
    // Each coordinator session opens one session on the worker and leaves at most one transaction prepared.
    state.maxConnections < sessionsMax &&
      `max_connections is ${state.maxConnections}, the coordinator has ${sessionsMax}`,
    state.maxPreparedTransactions < sessionsMax &&
      `max_prepared_transactions is ${state.maxPreparedTransactions}, ` +
        "lower than the coordinator's max_connections",
  ].filter((each) => each !== false);
  const notes =
    state.walLevel === "logical" ? [] : [`wal_level is ${state.walLevel}, so moving a shard blocks writes`];
  return finding(what, wrong.length === 0, [holds, ...wrong, ...notes].join("; "));
}

export function examinePrepared(nodes: readonly ClusterNode[]): Finding {
  const what = "prepared transactions";
  const holding = nodes.flatMap(({ address, state }) =>
    state && state.prepared > 0
      ? [{ address, count: state.prepared, seconds: state.oldestPreparedSeconds ?? 0 }]
      : [],
  );
  if (holding.length === 0) {
    const isWhole = nodes.every(({ state }) => state !== null);
    return finding(what, true, isWhole ? "none" : "none on the nodes that respond");
  }
  const list = holding.map(
    ({ address, count, seconds }) => `${count} on ${address}, the oldest is ${seconds} s old`,
  );
  const isOld = holding.some(({ seconds }) => seconds > PREPARED_SECONDS_MAX);
  const remedy = "they lock rows, so run `select recover_prepared_transactions()` on the coordinator";
  return finding(what, !isOld, list.join("; "), remedy);
}

async function examineSettings(sql: Sql): Promise<Finding> {
  const [database] = await sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  const statements = [
    ...(await wrongSettings(sql, DATABASE_SETTINGS)).map((each) => databaseStatement(database!.name, each)),
    ...(await wrongSettings(sql, SERVER_SETTINGS)).map(serverStatement),
  ];
  if (statements.some((each) => each.startsWith("alter system"))) statements.push("select pg_reload_conf()");
  return statements.length === 0
    ? finding("Citus settings", true, "correct")
    : finding("Citus settings", false, `run on the coordinator: ${statements.join("; ")}`);
}
