import { createDatabase, type Database } from "@/db/client";
import { createReplica, type Replica } from "@/db/replica";
import { log } from "./log";
import { settings } from "./settings";
import { single } from "./single";

/** Maximum seconds of a console call's statement, so that slow lists of staff end before they hold up others. */
const CONSOLE_SECONDS_MAX = 5;
const CONSOLE_SHARE = 0.3;

type User = "console" | "others";

/** How many of a process's connections each may use. Null when there is only one, which they share. */
function shareOf(user: User): number | null {
  const all = settings().DATABASE_POOL_MAX;
  const forConsole = Math.max(1, Math.floor(all * CONSOLE_SHARE));
  if (all === 1) return null;
  return user === "console" ? forConsole : all - forConsole;
}

/** Maximum seconds of a console call's statement. */
export const consoleSeconds = () => Math.min(settings().DATABASE_TIMEOUT_SECONDS, CONSOLE_SECONDS_MAX);

const secondsOf = (user: User) =>
  user === "console" ? consoleSeconds() : settings().DATABASE_TIMEOUT_SECONDS;

function connect(user: User): Database {
  const { DATABASE_URL, DATABASE_POOLER } = settings();
  if (!DATABASE_URL)
    throw new Error("DATABASE_URL is not set. `npm start` sets it to the embedded Postgres.");
  const poolMax = shareOf(user) ?? 1;
  return createDatabase({
    url: DATABASE_URL,
    poolMax,
    timeoutSeconds: secondsOf(user),
    pooler: DATABASE_POOLER,
  });
}

/** The connections of this process for everything but the console. */
export function database(): Database {
  return single("database", () => connect("others"));
}

/** The console's own connections, so that staff cannot take those of `/v1` and the finalizer. */
export function consoleDatabase(): Database {
  return shareOf("console") === null ? database() : single("console database", () => connect("console"));
}

/** The replica of this process, for lists only; undefined when none is configured. */
export function replica(): Replica | undefined {
  return single("replica", () => connectReplica("others"));
}

/** The same for the console. */
export function consoleReplica(): Replica | undefined {
  return shareOf("console") === null ? replica() : single("console replica", () => connectReplica("console"));
}

/** Ends all connections of this process, after at most 5 seconds. */
export async function closeDatabases(): Promise<void> {
  const pools = [database(), consoleDatabase(), replica(), consoleReplica()];
  await Promise.all([...new Set(pools)].map((pool) => pool?.close()));
}

function connectReplica(user: User): Replica | undefined {
  const { DATABASE_REPLICA_URL, DATABASE_REPLICA_WAIT_MS, DATABASE_POOLER } = settings();
  if (!DATABASE_REPLICA_URL) return undefined;
  return createReplica({
    url: DATABASE_REPLICA_URL,
    waitMs: DATABASE_REPLICA_WAIT_MS,
    poolMax: shareOf(user) ?? 1,
    timeoutSeconds: secondsOf(user),
    pooler: DATABASE_POOLER,
    onUnused: (reason) =>
      log().warn({ reason }, "the replica is skipped for a second; lists are read from the primary"),
  });
}
