import type { Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { oldestDue } from "../batches/list/oldest-due";
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
  const [server] = await db.sql<{ version: string; major: number; fsync: string }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      current_setting('fsync') as fsync`;
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
    { what: "durability", ok: server!.fsync === "on", detail: `fsync is ${server!.fsync}` },
  ];
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
      (select floor(extract(epoch from now() - last_tick_at))::int from finalizer_heartbeat) as tick_age`;
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
