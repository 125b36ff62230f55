import type { Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { oldestDue } from "../batches/list/conditions";
import { isDatabaseUnavailable } from "../kernel/database-errors";
import { settings } from "../kernel/settings";
import { examineCitus, type Finding } from "./doctor-citus";

interface State {
  staff: number;
  contracts: number;
  overdue: number | null;
  tick_age: number | null;
}

/** The checks of `ops doctor`: what usually goes wrong. */
export async function examine(db: Database): Promise<Finding[]> {
  const { DATABASE_URL, FINALIZER } = settings();
  const [server] = await db.sql<{ version: string; major: number; fsync: string; readOnly: boolean }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      current_setting('fsync') as fsync, current_setting('transaction_read_only')::boolean as "readOnly"`;
  const findings: Finding[] = [
    {
      what: "settings",
      ok: true,
      detail: DATABASE_URL ? "valid, external Postgres" : "valid, embedded Postgres",
    },
    {
      what: "Postgres",
      ok: server!.major >= 15,
      detail: `version ${server!.version}${server!.major >= 15 ? "" : "; version 15 or newer is required"}`,
    },
    {
      what: "writes",
      ok: !server!.readOnly,
      detail: server!.readOnly ? "refused: this is a replica or a former primary" : "accepted",
    },
    { what: "durability", ok: server!.fsync === "on", detail: `fsync is ${server!.fsync}` },
  ];
  const rights = await examineRights(db);
  findings.push(rights);
  if (!rights.ok) return findings;
  const schema = await schemaIsCurrent(db.sql);
  findings.push({
    what: "schema",
    ok: schema.current,
    detail: schema.current
      ? "current"
      : `${schema.applied} of ${schema.expected} migrations; run \`npm run -s ops -- migrate\``,
  });
  findings.push(...(await examineCitus(db.sql)));
  if (schema.current) findings.push(...(await examineUse(db, FINALIZER).catch(unreadable)));
  return findings;
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
  if (missing.length === 0)
    return { what: "rights", ok: true, detail: `${role} may read and write every table` };
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : "";
  const names = missing.slice(0, NAMED_MAX).join(", ");
  const detail = `${role} lacks rights on ${names}${more}; run deploy/grants.sql as the owner`;
  return { what: "rights", ok: false, detail };
}

/** On one Postgres every query fails. On Citus only those that need the missing worker do. */
function unreadable(error: unknown): Finding[] {
  if (!isDatabaseUnavailable(error)) throw error;
  return [{ what: "finalizer", ok: false, detail: "unknown while a node is not responding" }];
}

async function examineUse(db: Database, finalizerIsOn: boolean): Promise<Finding[]> {
  const [state] = await db.sql<State[]>`
    select (select count(*)::int from staff where disabled_at is null) as staff,
      (select count(*)::int from contracts) as contracts,
      floor(extract(epoch from now() - ${oldestDue(db.sql)}))::int as overdue,
      (select floor(greatest(extract(epoch from now() - last_tick_at), 0))::int from finalizer_heartbeat) as tick_age`;
  const { staff, contracts, overdue, tick_age: tickAge } = state!;
  const how = finalizerIsOn ? "the host's own finalizer" : "the cron route";
  return [
    {
      what: "staff",
      ok: staff > 0,
      detail: staff > 0 ? `${staff} can sign in` : "no team members yet; add one with `user create`",
    },
    { what: "contracts", ok: true, detail: `${contracts} registered` },
    {
      what: "finalizer",
      ok: overdue === null || overdue < 60,
      detail: `${tickAge === null ? `${how} has never run` : `last ran ${tickAge} s ago`}; ${overdue === null ? "nothing is overdue" : `the oldest due batch is ${overdue} s overdue`}`,
    },
  ];
}
