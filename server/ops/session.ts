import { randomUUID } from "node:crypto";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded";
import { isLocked } from "@/db/named-lock.mjs";
import type { ServiceContext } from "../kernel/context";
import { settings } from "../kernel/settings";

const POOL_MAX = 2;
/** A full ledger check is one long statement. */
export const STATEMENT_SECONDS_MAX = 900;

type Use<T> = (db: Database, url: string) => Promise<T>;

/** The database for one command: DATABASE_URL, or the embedded one, started and stopped if the service is not running. */
export async function withDatabase<T>(
  use: Use<T>,
  given = settings().DATABASE_URL,
  statementSecondsMax = STATEMENT_SECONDS_MAX,
): Promise<T> {
  const { DATABASE_POOLER, DATABASE_TIMEOUT_SECONDS, DATA_DIR } = settings();
  const starting = given ? null : startEmbeddedPostgres({ dataDir: DATA_DIR });
  let db: Database | undefined;
  const end = async () => {
    const embedded = await starting?.catch(() => null);
    await db?.close();
    // A service that started in the meantime has taken over this server.
    await embedded?.release(() => isLocked("data", DATA_DIR));
  };
  let ending: Promise<void> | undefined;
  const endOnce = () => (ending ??= end());
  // An interrupted command leaves no Postgres and no half-written file behind.
  const onSignal = (signal: NodeJS.Signals) => {
    process.stderr.write(`Stopped by ${signal}.\n`);
    const exit = () => process.exit(signal === "SIGINT" ? 130 : 143);
    if (!starting) exit();
    void endOnce().finally(exit);
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const url = given ?? (await starting!).url;
    db = createDatabase({
      url,
      poolMax: POOL_MAX,
      timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
      pooler: DATABASE_POOLER,
      statementSecondsMax,
    });
    return await use(db, url);
  } finally {
    await endOnce();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

/** The same, connecting as the role that may change the schema (DATABASE_MIGRATION_URL, if set). */
export const withOwnedDatabase = <T>(use: Use<T>, statementSecondsMax?: number): Promise<T> =>
  withDatabase(use, settings().DATABASE_MIGRATION_URL ?? settings().DATABASE_URL, statementSecondsMax);

/** The CLI as the actor in the audit log. */
export function opsContext(db: Database): ServiceContext {
  return { db, actor: "ops", requestId: randomUUID() };
}
