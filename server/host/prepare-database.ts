import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareDataDir } from "@/db/embedded/cluster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { migrateDatabase, schemaIsCurrent } from "@/db/migrate";
import { acquireLock } from "@/db/named-lock.mjs";
import { readNamedFile } from "@/db/read-named-file";
import { database, SCHEMA_BEHIND } from "@/server/kernel/database";
import {
  awayReason,
  isDatabaseUnavailable,
  refusalByPostgres,
  workerFailure,
} from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { type Settings, settings } from "@/server/kernel/settings";
import { StartError, type StopList } from "./lifecycle";

export type DataDirClaim = { address: string | null; release(): Promise<void> };

/** @throws StartError when another process uses it, EmbeddedPostgresError when it cannot be written */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  const realPath = prepareDataDir(dataDir);
  const claim: DataDirClaim = { address: null, release: async () => undefined };
  const hold = await acquireLock("data", dataDir, () =>
    claim.address
      ? `running at ${claim.address} (process ${process.pid})`
      : `starting (process ${process.pid})`,
  );
  if ("gone" in hold)
    throw new StartError(`The service is already ${hold.holder || "running"} with DATA_DIR ${realPath}.`);
  claim.release = hold.release;
  return claim;
}

const NAMES = ["AUTH_SECRET", "CRON_SECRET"] as const;
type Secrets = Partial<Record<(typeof NAMES)[number], string>>;

/** Given ones first, then those in `dataDir`. Stores missing ones there (mode 0600). @throws StartError */
export function localSecrets(dataDir: string, given: Secrets): Required<Secrets> {
  const file = join(dataDir, "secrets.json");
  const kept = readSecrets(file);
  const missing = NAMES.filter((name) => !kept[name]);
  for (const name of missing) kept[name] = randomBytes(32).toString("base64url");
  if (missing.length > 0) {
    writeFileSync(`${file}.draft`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    chmodSync(`${file}.draft`, 0o600);
    renameSync(`${file}.draft`, file);
  }
  return {
    AUTH_SECRET: given.AUTH_SECRET ?? kept.AUTH_SECRET!,
    CRON_SECRET: given.CRON_SECRET ?? kept.CRON_SECRET!,
  };
}

function readSecrets(file: string): Secrets {
  if (!existsSync(file)) return {};
  try {
    const parsed: unknown = JSON.parse(readNamedFile(file));
    const known = NAMES.map((name) => [name, (parsed as Secrets)[name]] as const);
    return Object.fromEntries(known.filter(([, value]) => typeof value === "string" && value.length >= 16));
  } catch (cause) {
    throw new StartError(`Cannot read ${file}. Fix the file, or delete it to create new secrets.`, { cause });
  }
}

const FIRST_CONTACT_SECONDS_MAX = 30;
const CHECK_URLS = "Check DATABASE_URL, and DATABASE_MIGRATION_URL if it is set.";

/** Locally: claims DATA_DIR and adds its secrets to the environment, before `settings()` reads them. */
export async function claimLocal(given: Settings, stops: StopList): Promise<DataDirClaim | null> {
  if (given.DATABASE_URL) return null;
  const claim = await claimDataDir(given.DATA_DIR);
  stops.add("DATA_DIR", 2, () => claim.release());
  Object.assign(process.env, localSecrets(given.DATA_DIR, given));
  return claim;
}

export async function startLocalPostgres(given: Settings, stops: StopList): Promise<void> {
  const starting = startEmbeddedPostgres({ dataDir: given.DATA_DIR });
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

/** Starts an embedded Postgres that exited again. If that fails, the process exits with code 1. */
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

/** Migrates the schema, or waits until someone else has. @throws StartError when the database stays down */
export async function prepareSchema(): Promise<void> {
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
    if (attempt === 1) log().warn(SCHEMA_BEHIND);
    await sleep(RETRY_MS);
  }
}

/** Retries a step while the database is down. @throws StartError when it stays down or refuses */
export async function retryUntilUp<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + FIRST_CONTACT_SECONDS_MAX * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const refusal = refusalByPostgres(error, CHECK_URLS);
      if (refusal) throw new StartError(refusal, { cause: error });
      if (!isDatabaseUnavailable(error)) throw error;
      const reason = workerFailure(error) ?? awayReason(error);
      if (performance.now() > giveUpAt)
        throw new StartError(`The database is unreachable or locked: ${reason}. ${CHECK_URLS}`, {
          cause: error,
        });
      if (attempt === 1)
        log().warn({ reason, secondsMax: FIRST_CONTACT_SECONDS_MAX }, "database is down, retrying");
      await sleep(RETRY_MS);
    }
  }
}
