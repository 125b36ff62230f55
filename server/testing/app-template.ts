import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltApp } from "./built-app";

/** One first start of the built app. The folders of the tests' apps are copied from its own: that costs a second less each. */
export default async function setup(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), "app-template-"));
  const app = await startBuiltApp({ dataDir });
  await app.stop();
  // Of two folders with one port the second would start on another.
  rmSync(join(dataDir, "postgres-port"));
  process.env.APP_TEMPLATE = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}
