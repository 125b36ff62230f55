import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltApp } from "./launch-app";

/** Starts the built app once, so that tests can copy its folder, which saves a second each. */
export default async function setup(): Promise<() => unknown> {
  const dataDir = mkdtempSync(join(tmpdir(), "app-template-"));
  const app = await startBuiltApp({ dataDir });
  await app.stop();
  // Each folder needs its own port, otherwise the second would start on another one.
  rmSync(join(dataDir, "postgres-port"));
  process.env.APP_TEMPLATE = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
