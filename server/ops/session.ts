import { randomUUID } from "node:crypto";
import { createDatabase, type Database } from "@/db/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded";
import type { ServiceContext } from "../context";
import { isHeld } from "../launch/hold-name.mjs";
import { settings } from "../settings";

const POOL_MAX = 2;
/** Checking a whole ledger is one long statement. */
export const STATEMENT_SECONDS_MAX = 900;

/** The database for one command: DATABASE_URL, or the embedded one, started when the service does not run and stopped again. */
export async function withDatabase<T>(use: (db: Database, url: string) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATABASE_POOLER, DATABASE_TIMEOUT_SECONDS, DATA_DIR } = settings();
  const embedded: EmbeddedPostgres | null = DATABASE_URL
    ? null
    : await startEmbeddedPostgres({ dataDir: DATA_DIR });
  const url = DATABASE_URL ?? embedded!.url;
  const db = createDatabase({
    url,
    poolMax: POOL_MAX,
    timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
    pooler: DATABASE_POOLER,
    statementSecondsMax: STATEMENT_SECONDS_MAX,
  });
  try {
    return await use(db, url);
  } finally {
    await db.close();
    // A service that started meanwhile has adopted this server.
    await embedded?.release(() => isHeld("data", DATA_DIR));
  }
}

/** The command line as an actor. */
export function opsContext(db: Database): ServiceContext {
  return { db, actor: "ops", requestId: randomUUID() };
}
