import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withSql } from "./citus/make-database";
import { startBuiltApp } from "./launch-app";
import { quickHash } from "./sign-in";

/** Starts the built app once: tests copy its folder and sign in half a second faster. */
export default async function setup(): Promise<() => unknown> {
  const dataDir = mkdtempSync(join(tmpdir(), "app-template-"));
  const app = await startBuiltApp({ dataDir });
  const hash = quickHash(app.admin.password);
  await withSql(app.databaseUrl(), (sql) => sql`update staff set password_hash = ${hash}`);
  await app.stop();
  // Each folder needs its own port, otherwise the second would start on another one.
  rmSync(join(dataDir, "postgres-port"));
  process.env.APP_TEMPLATE = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
