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
import { COMMITS_WAITING } from "@/server/kernel/database";
import { neededConnections, settings } from "@/server/kernel/settings";
import { stateQuery } from "@/server/operations/read-state";
import { failureLine } from "./command";

export type Finding = { what: string; ok: boolean; detail: string };

/** @param remedy added to the detail of what is not ok */
const finding = (what: string, ok: boolean, detail: string, remedy?: string): Finding => ({
  what,
  ok,
  detail: ok || !remedy ? detail : `${detail}; ${remedy}`,
});

/** Text alone means that all is well. */
type Verdict = string | { wrong: string; remedy: string };

interface Check {
  what: string;
  /** Why it fails, if it does, is the verdict. */
  judge(db: Database): Promise<Verdict | Finding[]>;
}

/** @param judge decides about the query's rows */
const check = <Row extends object>(
  what: string,
  query: string,
  judge: (rows: readonly Row[]) => Verdict,
): Check => ({ what, judge: async ({ sql }) => judge(await sql.unsafe<Row[]>(query)) });

const NAMED_MAX = 5;

/** For a query each of whose rows is something wrong. */
const none =
  (well: string, remedy: string) =>
  (rows: readonly { wrong: string }[]): Verdict => {
    const wrong = rows.map((row) => row.wrong);
    return wrong.length === 0 ? well : { wrong: someOf(wrong, NAMED_MAX), remedy };
  };

const COMMITS = `
  select setting as level, reset_val as given, current_setting('synchronous_standby_names') as names,
    format('alter role %I in database %I set synchronous_commit = %L', session_user, current_database(), 'on')
      as statement,
    (select count(*)::int from pg_stat_replication) as standbys, (${COMMITS_WAITING}) as waiting
  from pg_settings where name = 'synchronous_commit'`;

interface Commits {
  level: string;
  /** Of the database or the role, before the service asked. */
  given: string;
  names: string;
  statement: string;
  standbys: number;
  waiting: number;
}

function judgeCommits([row]: readonly Commits[]): Verdict {
  const { level, given, names, statement, standbys, waiting } = row!;
  const remedy = "start the standby, or take it out of synchronous_standby_names";
  if (waiting > 0) return { wrong: `sessions that wait for a synchronous standby: ${waiting}`, remedy };
  if (level === "off" || (level === "local" && names))
    return {
      wrong: `synchronous_commit is ${level}: a ${names ? "failover" : "crash"} loses acknowledged batches`,
      remedy: `run ${statement}; then let a pooler reconnect and restart the service`,
    };
  if (names && level !== "local" && standbys === 0)
    return { wrong: `none can finish, because no standby of “${names}” is connected`, remedy };
  const asked = given === "off" ? ", because the service asks for it; it is set to off" : "";
  return `synchronous_commit is ${level}${asked}`;
}

const CONNECTION_LIMITS = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as "Postgres",
    case when not rolsuper then nullif(rolconnlimit, -1) end as "the role",
    case when not rolsuper then nullif(datconnlimit, -1) end as "the database"
  from pg_roles, pg_database where rolname = session_user and datname = current_database()`;

function judgeConnections([limits]: readonly Record<string, number | null>[]): Verdict {
  const needed = neededConnections(settings());
  const ours = `this machine needs up to ${needed}`;
  if (settings().DATABASE_POOLER === "transaction") return `${ours} from the pooler`;
  const [least] = Object.entries(limits!)
    .map(([of, most]) => ({ of, most: most ?? Number.POSITIVE_INFINITY }))
    .sort((one, other) => one.most - other.most);
  const { of, most } = least!;
  const all = `${ours}, ${of} allows ${most} in all`;
  if (needed <= most) return all;
  return { wrong: all, remedy: `lower DATABASE_POOL_MAX or WEB_CONCURRENCY, or raise the limit of ${of}` };
}

const RIGHTS = `
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
    ) as missing,
    array_agg(relname::text order by relname) filter (where row_security_active(c.oid)) as hidden,
    count(c.oid)::int as protected
  from pg_class c
  where relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle'))
    and relrowsecurity`;

type Rights = { role: string; missing: string[]; hidden: string[] | null; protected: number };

function judgeRights([row]: readonly Rights[]): Verdict {
  const { role, missing, hidden, protected: others } = row!;
  const lacks = `${role} lacks rights on ${someOf(missing, NAMED_MAX)}; run deploy/grants.sql as the owner`;
  if (hidden)
    return {
      wrong: `row-level security hides rows of ${someOf(hidden, NAMED_MAX)} from ${role}`,
      remedy: `run \`alter role ${role} bypassrls\` as a superuser${missing.length > 0 ? `; ${lacks}` : ""}`,
    };
  if (missing.length > 0) return { wrong: lacks, remedy: "" };
  const all = `${role} may read and write every table`;
  return others === 0 ? all : `${all}; row-level security hides rows of ${others} from other roles`;
}

const SERVER: Check[] = [
  check<{ version: string; major: number }>(
    "Postgres",
    `select current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major`,
    ([row]) => {
      const version = `version ${row!.version}`;
      return row!.major >= 15 ? version : { wrong: version, remedy: "version 15 or newer is required" };
    },
  ),
  check<{ encoding: string }>("encoding", "select current_setting('server_encoding') as encoding", ([row]) =>
    row!.encoding === ENCODING ? ENCODING : { wrong: row!.encoding, remedy: NEEDS_ENCODING },
  ),
  check(
    "writes",
    `select 'refused: ' || case when pg_is_in_recovery() then 'this is a replica'
        else name || ' is on, set by the ' || source end as wrong
      from pg_settings
      where name = 'default_transaction_read_only' and (setting = 'on' or pg_is_in_recovery())`,
    none("accepted", "check DATABASE_URL, and whether the primary's disk is full"),
  ),
  check(
    "durability",
    `select name || ' is ' || setting as wrong from pg_settings
      where (name, setting) in (('fsync', 'off'), ('full_page_writes', 'off'), ('data_sync_retry', 'on'),
        ('zero_damaged_pages', 'on'), ('ignore_checksum_failure', 'on'))
      union all select relname || ' is unlogged' from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'
        and relname <> 'rate_limits'`,
    none("rows and files survive a crash", "a crash can lose rows, or what is lost is not seen"),
  ),
  check("commits", COMMITS, judgeCommits),
  check("connections", CONNECTION_LIMITS, judgeConnections),
  check(
    "timeouts",
    `select format('%s is 0 (alter role %I set %s = %L)', name, session_user, name, wanted) as wrong
      from pg_settings join (values ('statement_timeout', '8s'), ('lock_timeout', '6s'),
        ('idle_in_transaction_session_timeout', '8s')) as limits (name, wanted) using (name)
      where setting = '0'`,
    none("of statements, locks and idle transactions", "one lock can take every connection: set them"),
  ),
  check(
    "transactions",
    `select format('%s of %s is prepared since %s', gid, owner, prepared) as wrong from pg_prepared_xacts
      where database = current_database() and prepared < now() - interval '1 minute'
      union all select format('process %s of %s is idle in one since %s', pid, usename, state_change)
      from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'
        and state_change < now() - interval '1 minute'`,
    none("none is left open", "they keep locks, and snapshots and VACUUM wait for them: end them"),
  ),
  check(
    "upkeep",
    `select name || ' is off' as wrong from pg_settings
      where name in ('autovacuum', 'track_counts') and setting = 'off'
      union all select 'autovacuum is off for ' || relname from pg_class
      where relnamespace = 'public'::regnamespace
        and array_to_string(reloptions, ' ') ~ 'autovacuum_enabled=(false|off|no|0)'
      union all select age(datfrozenxid) || ' transactions since the last freeze' from pg_database
      where datname = current_database() and age(datfrozenxid) > 1500000000
      union all select 'archiving WAL fails since ' || last_failed_time from pg_stat_archiver
      where last_failed_time > coalesce(last_archived_time, '-infinity')
      union all select slot_name || ' is inactive and its WAL is ' || wal_status from pg_replication_slots
      where not active and wal_status <> 'reserved'`,
    none(
      "autovacuum is on, and no WAL piles up",
      "Postgres stops when its disk or its transaction IDs run out",
    ),
  ),
  check(
    "indexes",
    `select indexrelid::regclass || ' is invalid' as wrong
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and not (indisvalid and indisready)`,
    none("valid", "run `reindex index`"),
  ),
  check(
    "triggers",
    `select 'session_replication_role is ' || setting as wrong from pg_settings
      where name = 'session_replication_role' and setting <> 'origin'
      union all select distinct 'disabled on ' || relname
      from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = 'public'::regnamespace and tgenabled in ('D', 'R')`,
    none("enabled", "they guard statuses and references: `alter table … enable trigger all`"),
  ),
];

const ACCESS: Check[] = [{ what: "session", judge: judgeSession }, check("rights", RIGHTS, judgeRights)];
const CITUS: Check[] = [{ what: "Citus", judge: ({ sql }) => examineCitus(sql) }];
const SCHEMA: Check[] = [{ what: "schema", judge: judgeSchema }];
const USE: Check[] = [
  { what: "sequences", judge: judgeSequences },
  check<{ people: number }>(
    "staff",
    "select count(*)::int as people from staff where disabled_at is null",
    ([row]) =>
      row!.people > 0
        ? `${row!.people} can sign in`
        : { wrong: "no team members yet", remedy: "add one with `user create`" },
  ),
  check<{ contracts: number }>(
    "contracts",
    "select count(*)::int as contracts from contracts",
    ([row]) => `${row!.contracts} registered`,
  ),
  check<{ at: string; isOk: boolean }>(
    "ledger",
    `select to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') as at, is_ok as "isOk"
      from ledger_checks order by finished_at desc, id desc limit 1`,
    ([last]) => {
      if (!last) return "not checked yet";
      if (last.isOk) return `in balance at the self-check of ${last.at}`;
      return { wrong: `the self-check of ${last.at} failed`, remedy: "run `verify-ledger`, which says why" };
    },
  ),
  { what: "finalizer", judge: judgeFinalizer },
];

const STAGES = [SERVER, ACCESS, CITUS, SCHEMA, USE];
/** What comes later could not be read without them. */
const NEEDED = new Set([ACCESS, SCHEMA]);

export async function examine(db: Database): Promise<Finding[]> {
  // Without an answer there is nothing to report.
  await db.sql`select 1`;
  const postgres = settings().DATABASE_URL ? "external" : "embedded";
  const findings = [finding("settings", true, `valid, ${postgres} Postgres`)];
  for (const stage of STAGES) {
    const found: Finding[] = [];
    for (const each of stage) found.push(...(await findingsOf(each, db)));
    findings.push(...found);
    if (NEEDED.has(stage) && found.some(({ ok }) => !ok)) break;
  }
  return findings;
}

async function findingsOf({ what, judge }: Check, db: Database): Promise<Finding[]> {
  const verdict = await judge(db).catch((error: unknown) => ({
    wrong: "not known",
    remedy: failureLine(error),
  }));
  if (Array.isArray(verdict)) return verdict;
  if (typeof verdict === "string") return [finding(what, true, verdict)];
  return [finding(what, false, verdict.wrong, verdict.remedy)];
}

/** Without a pooler the service asks for its settings at connect. */
async function judgeSession({ sql }: Database): Promise<Verdict> {
  const wrong = await wrongSessionSettings(sql);
  if (wrong.length === 0) return "dates, numbers and bytes as the service reads them";
  const differences = wrong.map(({ is }) => is).join(", ");
  const statements = wrong.map(({ statement }) => statement).join("; ");
  return {
    wrong: `${differences}, which the service cannot change behind a pooler`,
    remedy: `run ${statements}; then let the pooler reconnect and restart the service`,
  };
}

async function judgeSchema({ sql }: Database): Promise<Verdict> {
  const { current, applied, expected } = await schemaIsCurrent(sql);
  if (current) return "current";
  const others = applied === 0 ? await otherTables(sql) : [];
  if (others.length > 0)
    return { wrong: `the database holds other tables (${someOf(others)})`, remedy: "use an empty one" };
  return { wrong: `${applied} of ${expected} migrations`, remedy: "run `npm run -s ops -- migrate`" };
}

/** On Citus, each worker gives numbers from a range of its own, from 2⁴⁸ on. */
const WORKERS_FROM = 2n ** 48n;

/** Logical replication copies the rows of a table, but not the sequence that numbers them. */
async function judgeSequences({ sql }: Database): Promise<Verdict> {
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
  if (remedies.length === 0) return "ahead of their rows";
  return {
    wrong: `${remedies.length} of ${sequences.length} are behind their rows, as after logical replication`,
    remedy: `run as the owner: ${remedies.join("; ")}`,
  };
}

async function judgeFinalizer({ sql }: Database): Promise<Verdict> {
  const [state] = await stateQuery(sql);
  const { oldestOverdueSeconds: overdue, lastTickSeconds: tickAge, callSeconds } = state!;
  const how = settings().FINALIZER ? "the host's own finalizer" : "the cron route";
  const ran = tickAge === null ? `${how} has never run` : `last ran ${tickAge} s ago`;
  const late = overdue === null ? "nothing is overdue" : `the oldest due batch is ${overdue} s overdue`;
  const verdict = `${ran}; ${late}`;
  // Between two calls of the cron route nothing is finalized.
  const sinceCall = callSeconds === null ? 0 : (tickAge ?? 0);
  return (overdue ?? 0) - sinceCall < 60 ? verdict : { wrong: verdict, remedy: "see Operations" };
}

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
    (state.oldestPreparedSeconds ?? 0) > PREPARED_SECONDS_MAX &&
      `${state.prepared} prepared transactions lock rows, the oldest for ${state.oldestPreparedSeconds} s: ` +
        "run `select recover_prepared_transactions()` on the coordinator",
  ].filter((each) => each !== false);
  const notes =
    state.walLevel === "logical" ? [] : [`wal_level is ${state.walLevel}, so moving a shard blocks writes`];
  return finding(what, wrong.length === 0, [holds, ...wrong, ...notes].join("; "));
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
