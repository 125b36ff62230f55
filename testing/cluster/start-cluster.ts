import { rmSync } from "node:fs";
import { startEmbeddedPostgres } from "@/db/embedded";
import { freePort } from "@/db/free-port";
import {
  type BuiltApp,
  embeddedUrl,
  type LaunchedApp,
  launchBuiltApp,
  type Options,
  ownFolder,
} from "../launch-app";
import { startPgBouncer } from "../pg-bouncer";
import { startNginx } from "./start-nginx";

/** `cluster`: the instances connect to Postgres directly. `pooled`: through PgBouncer in transaction mode. */
export type Shape = "cluster" | "pooled";

const WEB_INSTANCES = 2;

/**
 * A larger deployment: its own Postgres, two instances behind nginx with the shipped configuration, and a third that only
 * finalizes. Tests use it like a single app.
 */
export async function startCluster(shape: Shape, options: Options): Promise<BuiltApp> {
  const dataDir = options.dataDir ?? ownFolder(options.environment ?? {});
  const ends: (() => unknown)[] = [];
  const stop = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    if (!options.dataDir) ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const given = options.environment ?? {};
    const { database, stopPooler } = await databaseOf(shape, dataDir, given.DATABASE_URL, ends);
    const port = options.port ?? (await freePort());
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      PUBLIC_URL: url,
      AUTH_SECRET: "auth-secret-of-this-test-run",
      ...given,
      ...database,
      // Nginx counts as one more proxy.
      TRUSTED_PROXY_HOPS: String(Number(given.TRUSTED_PROXY_HOPS ?? 0) + 1),
    };
    const { door } = options;
    const launch = () =>
      launchBuiltApp({
        environment,
        dataDir,
        ...(door && { door }),
      });
    const instances: LaunchedApp[] = [];
    const count = WEB_INSTANCES + (given.FINALIZER === "off" ? 0 : 1);
    for (let made = 0; made < count; made++) instances.push(await launch());
    ends.push(() => Promise.all(instances.map((instance) => instance.stop())));
    await Promise.all(instances.map((instance) => instance.ready()));
    const upstreams = instances.slice(0, WEB_INSTANCES).map((instance) => new URL(instance.url).host);
    const nginx = await startNginx({ upstreams, port });
    ends.push(() => nginx.stop());
    const [first] = instances as [LaunchedApp];
    return {
      url,
      pid: first.pid,
      dataDir,
      cronSecret: first.cronSecret,
      admin: { ...first.admin },
      databaseUrl: () => given.DATABASE_URL ?? embeddedUrl(dataDir),
      output: () => instances.map((instance) => instance.output()).join("\n"),
      ops: (...words) => first.ops(...words),
      async kill(signal) {
        await Promise.all(instances.map((instance) => instance.kill(signal)));
        // A test that kills the app may never stop the others; only Postgres may be needed again.
        await nginx.stop();
        stopPooler();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Settings for its own Postgres, or for the test's. */
async function databaseOf(
  shape: Shape,
  dataDir: string,
  givenUrl: string | undefined,
  ends: (() => unknown)[],
): Promise<{ database: Record<string, string>; stopPooler(): void }> {
  let direct = givenUrl;
  if (!direct) {
    const postgres = await startEmbeddedPostgres({ dataDir });
    ends.push(() => postgres.stop());
    direct = postgres.url;
  }
  if (shape === "cluster") return { database: { DATABASE_URL: direct }, stopPooler: () => undefined };
  const { url, stop } = await startPgBouncer(direct);
  ends.push(stop);
  const database = { DATABASE_URL: url, DATABASE_MIGRATION_URL: direct, DATABASE_POOLER: "transaction" };
  return { database, stopPooler: stop };
}
