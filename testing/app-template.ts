import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltApp } from "./built-app";
import { CitusDatabases } from "./citus/test-databases";

/**
 * Starts the built app once, so that tests can copy its folder, which saves a second each. With CITUS_URL they use clones of
 * a database on that cluster instead of a Postgres in the folder.
 */
export default async function setup(): Promise<() => unknown> {
  const { CITUS_URL } = process.env;
  return CITUS_URL ? await onCitus(CITUS_URL) : await onEmbedded();
}

async function onCitus(citusUrl: string): Promise<() => unknown> {
  const databases = await CitusDatabases.make(citusUrl);
  process.env.CITUS_DATABASES = String(databases);
  return () => databases.dropAll();
}

async function onEmbedded(): Promise<() => unknown> {
  const dataDir = mkdtempSync(join(tmpdir(), "app-template-"));
  const app = await startBuiltApp({ dataDir });
  await app.stop();
  // Each folder needs its own port, otherwise the second would start on another one.
  rmSync(join(dataDir, "postgres-port"));
  process.env.APP_TEMPLATE = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
