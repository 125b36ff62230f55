import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded";
import { migrateDatabase, schemaIsCurrent } from "@/db/migrate";
import { database } from "../kernel/database";
import { isDatabaseUnavailable, refusalByPostgres } from "../kernel/database-errors";
import { log } from "../kernel/log";
import { SCHEMA_BEHIND } from "../kernel/schema-gate";
import { type Settings, settings } from "../kernel/settings";
import { claimDataDir, type DataDirClaim } from "./claim-data-dir";
import { localSecrets } from "./local-secrets";
import { StartError } from "./start-error";
import type { StopList } from "./stop-all";

const FIRST_CONTACT_SECONDS_MAX = 30;
const CHECK_URLS = "Check DATABASE_URL, and DATABASE_MIGRATION_URL if it is set.";

/**
 * On a local start, claims DATA_DIR and adds the secrets to the environment. `settings()` reads them, so it must not have
 * been called before.
 */
export async function claimLocal(given: Settings, stops: StopList): Promise<DataDirClaim | null> {
  if (given.DATABASE_URL) return null;
  const claim = await claimDataDir(given.DATA_DIR);
  stops.add("DATA_DIR", 2, () => claim.release());
  Object.assign(process.env, localSecrets(given.DATA_DIR, given));
  return claim;
}

export async function startLocalPostgres(given: Settings, stops: StopList): Promise<void> {
  const starting = startEmbeddedPostgres({
    dataDir: given.DATA_DIR,
    log: (line) => {
      // `log()` would parse the settings before DATABASE_URL is set.
      if (given.LOG_LEVEL === "debug") process.stderr.write(`${line}\n`);
    },
  });
  let watch: NodeJS.Timeout | undefined;
  // Also when the service is stopped while Postgres starts.
  stops.add("Postgres", 40, async () => {
    clearInterval(watch);
    await (await starting.catch(() => null))?.stop();
  });
  const embedded = await starting;
  process.env.DATABASE_URL = embedded.url;
  // With a URL, the default would be that of a deployment.
  process.env.MINIMUM_FINALIZE_SECONDS = String(given.MINIMUM_FINALIZE_SECONDS);
  watch = keepRunning(embedded);
}

const LOOK_MS = 1000;

/** Starts an embedded Postgres that exited again. If that fails, the uncaught error ends the process with code 1. */
function keepRunning(embedded: EmbeddedPostgres): NodeJS.Timeout {
  let reviving = false;
  return setInterval(() => {
    if (reviving || !embedded.hasExited()) return;
    reviving = true;
    log().error("the embedded Postgres exited, starting it again");
    embedded.revive().then(
      () => {
        reviving = false;
        log().info("the embedded Postgres is running again");
      },
      (error: unknown) =>
        setImmediate(() => {
          throw error;
        }),
    );
  }, LOOK_MS);
}

const RETRY_MS = 1000;

/**
 * Migrates the schema, or waits until someone else has. Also waits for a database that is not up yet.
 * @param onWait called with the reason when the service has to wait for a migration
 * @throws StartError when the database stays down
 */
export async function prepareSchema(onWait: (reason: string) => void): Promise<void> {
  const { DATABASE_URL, DATABASE_MIGRATION_URL, DATABASE_TIMEOUT_SECONDS, MIGRATE_ON_START } = settings();
  if (MIGRATE_ON_START) {
    const url = DATABASE_MIGRATION_URL ?? DATABASE_URL!;
    const { applied } = await retryUntilUp(() =>
      migrateDatabase({ url, timeoutSeconds: DATABASE_TIMEOUT_SECONDS }),
    );
    if (applied > 0) log().info({ applied }, "database migrated");
    return;
  }
  for (let attempt = 1; !(await retryUntilUp(() => schemaIsCurrent(database().sql))).current; attempt++) {
    if (attempt === 1) {
      log().warn(SCHEMA_BEHIND);
      onWait(SCHEMA_BEHIND);
    }
    await sleep(RETRY_MS);
  }
}

/** Runs a step of the start, and retries it while the database is down. @throws StartError when it stays down or refuses */
export async function retryUntilUp<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + FIRST_CONTACT_SECONDS_MAX * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const refusal = refusalByPostgres(error);
      if (refusal) throw new StartError(`${refusal} ${CHECK_URLS}`, { cause: error });
      if (!isDatabaseUnavailable(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (performance.now() > giveUpAt) {
        throw new StartError(`The database is unreachable or locked: ${reason}`, { cause: error });
      }
      if (attempt === 1) {
        log().warn({ reason, secondsMax: FIRST_CONTACT_SECONDS_MAX }, "database is down, retrying");
      }
      await sleep(RETRY_MS);
    }
  }
}
