import { createDatabase, type Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { single } from "./process";
import { unavailable } from "./retry-after";
import { settings } from "./settings";

/** Maximum seconds of a console call's statement, so that staff's slow lists end before they delay others. */
const CONSOLE_SECONDS_MAX = 5;
const CONSOLE_SHARE = 0.3;

export const consoleSeconds = () => Math.min(settings().DATABASE_TIMEOUT_SECONDS, CONSOLE_SECONDS_MAX);

/** A caller gets an answer by then, with a second more than any statement has. */
export const callerWaitMs = () => (settings().DATABASE_TIMEOUT_SECONDS + 1) * 1000;

function connect(user: "console" | "others"): Database {
  const {
    DATABASE_URL: url,
    DATABASE_POOLER: pooler,
    DATABASE_POOL_MAX,
    DATABASE_TIMEOUT_SECONDS,
  } = settings();
  if (!url) throw new Error("DATABASE_URL is not set. `npm start` sets it to the embedded Postgres.");
  const forConsole = Math.max(1, Math.floor(DATABASE_POOL_MAX * CONSOLE_SHARE));
  const [poolMax, timeoutSeconds] =
    user === "console"
      ? [forConsole, consoleSeconds()]
      : [Math.max(1, DATABASE_POOL_MAX - forConsole), DATABASE_TIMEOUT_SECONDS];
  return createDatabase({ url, pooler, poolMax, timeoutSeconds });
}

export const database = (): Database => single("database", () => connect("others"));

/** Connections of the console's own, so that staff take none from `/v1`. A single one is shared. */
export const consoleDatabase = (): Database =>
  settings().DATABASE_POOL_MAX === 1 ? database() : single("console database", () => connect("console"));

/** Ends all connections of this process, after at most 5 seconds. */
export async function closeDatabases(): Promise<void> {
  const pools = new Set([database(), consoleDatabase()]);
  await Promise.all([...pools].map((pool) => pool.close()));
}

export const SCHEMA_BEHIND =
  "The database is missing migrations of this version. Run `npm run -s ops -- migrate`.";
const RETRY_AFTER_SECONDS = 5;

/** Blocks requests until the schema is current. @throws DomainError `unavailable` */
export async function requireCurrentSchema(): Promise<void> {
  const seen = single("schema", () => ({ isCurrent: false }));
  if (seen.isCurrent) return;
  if (!(await schemaIsCurrent(database().sql)).current)
    throw unavailable("The service is waiting for a database migration.", RETRY_AFTER_SECONDS);
  seen.isCurrent = true;
}

/**
 * Sessions of this role whose commit waits for a synchronous standby, longer than one that is there takes.
 * Postgres ends such a wait by no timeout.
 */
export const COMMITS_WAITING = `
  select count(*)::int from pg_stat_activity
  where datname = current_database() and wait_event = 'SyncRep'
    and query_start < clock_timestamp() - interval '5 seconds'`;
