import { createDatabase, type Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { single } from "./process";
import { unavailable } from "./retry-after";
import { settings } from "./settings";

/**
 * How much a console call may do. `long` computes figures from many rows, or waits for another server.
 * `heavy` reads up to a million rows. Pools, lines, deadlines and messages follow from the seconds below.
 */
export type Pace = "quick" | "long" | "heavy";

/** Maximum seconds of a console call's statement, so that staff's slow lists end before they delay others. */
const CONSOLE_SECONDS_MAX = 5;
const HEAVY_SECONDS = 20;
/** Also for a mail server. */
const LONG_WAIT_SECONDS = 30;
const CONSOLE_SHARE = 0.3;

/** Maximum seconds of a statement. */
export const consoleSeconds = (pace: Pace = "quick"): number =>
  pace === "heavy"
    ? Math.max(settings().DATABASE_TIMEOUT_SECONDS, HEAVY_SECONDS)
    : Math.min(settings().DATABASE_TIMEOUT_SECONDS, CONSOLE_SECONDS_MAX);

export const lineSeconds = (pace: Pace): number =>
  pace === "heavy" ? consoleSeconds(pace) : settings().DATABASE_TIMEOUT_SECONDS;

/** A caller gets an answer by then, with a second more than any statement has. */
export function callerWaitMs(pace: Pace = "quick"): number {
  const seconds = settings().DATABASE_TIMEOUT_SECONDS + 1;
  if (pace === "heavy") return (lineSeconds(pace) + consoleSeconds(pace) + seconds) * 1000;
  return (pace === "long" ? Math.max(seconds, LONG_WAIT_SECONDS) : seconds) * 1000;
}

function connect(user: "console" | "heavy" | "others"): Database {
  const {
    DATABASE_URL: url,
    DATABASE_POOLER: pooler,
    DATABASE_POOL_MAX,
    DATABASE_TIMEOUT_SECONDS: timeoutSeconds,
  } = settings();
  if (!url) throw new Error("DATABASE_URL is not set. `npm start` sets it to the embedded Postgres.");
  const forConsole = Math.max(1, Math.floor(DATABASE_POOL_MAX * CONSOLE_SHARE));
  const bounds = {
    console: { poolMax: forConsole, timeoutSeconds: consoleSeconds() },
    heavy: { poolMax: 1, timeoutSeconds, statementSecondsMax: consoleSeconds("heavy") },
    others: { poolMax: Math.max(1, DATABASE_POOL_MAX - forConsole), timeoutSeconds },
  };
  return createDatabase({ url, pooler, ...bounds[user] });
}

export const database = (): Database => single("database", () => connect("others"));

/** Connections of the console's own, so that staff take none from `/v1`. A single one is shared. */
export const consoleDatabase = (): Database =>
  settings().DATABASE_POOL_MAX === 1 ? database() : single("console database", () => connect("console"));

/** A connection that only heavy calls of the console use, so that no other waits for them. */
export const heavyDatabase = (): Database => single("heavy database", () => connect("heavy"));

/** This process's pools. */
export const databases = (): Database[] => [...new Set([database(), consoleDatabase(), heavyDatabase()])];

/** Ends all connections of this process, after at most 5 seconds. */
export async function closeDatabases(): Promise<void> {
  await Promise.all(databases().map((pool) => pool.close()));
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
