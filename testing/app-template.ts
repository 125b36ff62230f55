import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltApp } from "./built-app";
import { CitusDatabases } from "./citus/test-databases";

/**
 * One first start of the built app. The folders of the tests' apps are copied from its own: that costs a second less each.
 * With CITUS_URL they have no Postgres in their folders, but clones of a database of that cluster.
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
  // Of two folders with one port the second would start on another.
  rmSync(join(dataDir, "postgres-port"));
  process.env.APP_TEMPLATE = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
