import { createDatabase, type Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { unavailable } from "./limits";
import { single } from "./process";
import { settings } from "./settings";

/** Maximum seconds of a console call's statement, so that staff's slow lists end before they delay others. */
const CONSOLE_SECONDS_MAX = 5;
const CONSOLE_SHARE = 0.3;

type User = "console" | "others";

export const consoleSeconds = () => Math.min(settings().DATABASE_TIMEOUT_SECONDS, CONSOLE_SECONDS_MAX);

/** The console has its own connections, so that staff cannot take those of `/v1` and the finalizer. A single one is shared. */
const isShared = () => settings().DATABASE_POOL_MAX === 1;

function poolOptions(user: User) {
  const { DATABASE_POOL_MAX, DATABASE_TIMEOUT_SECONDS, DATABASE_POOLER: pooler } = settings();
  const forConsole = Math.max(1, Math.floor(DATABASE_POOL_MAX * CONSOLE_SHARE));
  return user === "console"
    ? { poolMax: forConsole, timeoutSeconds: consoleSeconds(), pooler }
    : {
        poolMax: Math.max(1, DATABASE_POOL_MAX - forConsole),
        timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
        pooler,
      };
}

function connect(user: User): Database {
  const { DATABASE_URL } = settings();
  if (!DATABASE_URL)
    throw new Error("DATABASE_URL is not set. `npm start` sets it to the embedded Postgres.");
  return createDatabase({ url: DATABASE_URL, ...poolOptions(user) });
}

/** The connections of this process for everything but the console. */
export const database = (): Database => single("database", () => connect("others"));

export const consoleDatabase = (): Database =>
  isShared() ? database() : single("console database", () => connect("console"));

/** Ends all connections of this process, after at most 5 seconds. */
export async function closeDatabases(): Promise<void> {
  const pools = new Set([database(), consoleDatabase()]);
  await Promise.all([...pools].map((pool) => pool.close()));
}

export const SCHEMA_BEHIND =
  "The database is missing migrations of this version. Run `npm run -s ops -- migrate`.";
const RETRY_AFTER_SECONDS = 5;

/** Blocks requests until the schema is current: statements could act on an old one. @throws DomainError `unavailable` */
export async function requireCurrentSchema(): Promise<void> {
  const seen = single("schema", () => ({ isCurrent: false }));
  if (seen.isCurrent) return;
  if (!(await schemaIsCurrent(database().sql)).current)
    throw unavailable("The service is waiting for a database migration.", RETRY_AFTER_SECONDS);
  seen.isCurrent = true;
}
