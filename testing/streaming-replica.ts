import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startEmbeddedPostgres } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { cleanEmbedded, embeddedFolder } from "./embedded-folder";

export interface PrimaryAndReplica {
  primaryUrl: string;
  replicaUrl: string;
  stopReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** A migrated primary and its streaming replica, as two copies of one folder, so that only the embedded server is needed. */
export async function startWithReplica(settings: Record<string, string>): Promise<PrimaryAndReplica> {
  const primaryDir = await embeddedFolder();
  const replicaDir = await embeddedFolder();
  const options = { asSuperuser: true, extraSettings: settings };
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, ...options });
  follow(replicaDir, primary.url);
  const replica = await startEmbeddedPostgres({ dataDir: replicaDir, ...options });
  await migrateDatabase({ url: primary.url, timeoutSeconds: 10 });
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
    stopReplica: () => replica.stop(),
    async stop() {
      await replica.stop();
      await primary.stop();
      await cleanEmbedded();
    },
  };
}

function follow(dataDir: string, primaryUrl: string): void {
  const cluster = path.join(dataDir, "postgres");
  const { hostname, port, username, password } = new URL(primaryUrl);
  const settings = path.join(cluster, "postgresql.auto.conf");
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  writeFileSync(settings, `primary_conninfo = '${source}'\n`);
  writeFileSync(path.join(cluster, "standby.signal"), "");
  for (const file of [settings, path.join(cluster, "standby.signal")]) chmodSync(file, 0o600);
}
