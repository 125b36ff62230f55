import { createDatabase, type Database } from "@/db/client";
import { createReplica, type Replica } from "@/db/replica";
import { log } from "./log";
import { settings } from "./settings";
import { single } from "./single";

/** The pool of this process. */
export function database(): Database {
  return single("database", () => {
    const { DATABASE_URL, DATABASE_POOL_MAX, DATABASE_TIMEOUT_SECONDS, DATABASE_POOLER } = settings();
    if (!DATABASE_URL)
      throw new Error("DATABASE_URL is not set. `npm start` sets it to the embedded Postgres.");
    return createDatabase({
      url: DATABASE_URL,
      poolMax: DATABASE_POOL_MAX,
      timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
      pooler: DATABASE_POOLER,
    });
  });
}

/** The replica of this process, for lists only; undefined when none is configured. */
export function replica(): Replica | undefined {
  return single("replica", () => {
    const { DATABASE_REPLICA_URL, DATABASE_REPLICA_WAIT_MS, ...settled } = settings();
    if (!DATABASE_REPLICA_URL) return undefined;
    return createReplica({
      url: DATABASE_REPLICA_URL,
      waitMs: DATABASE_REPLICA_WAIT_MS,
      poolMax: settled.DATABASE_POOL_MAX,
      timeoutSeconds: settled.DATABASE_TIMEOUT_SECONDS,
      pooler: settled.DATABASE_POOLER,
      onUnused: (reason) =>
        log().warn({ reason }, "the replica is skipped for a second; lists are read from the primary"),
    });
  });
}
