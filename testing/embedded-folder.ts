import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { withSql } from "./citus/make-database";
import { stopProcess } from "./launch-app";

const made: string[] = [];
const apps: ChildProcess[] = [];
let baseDir: string | undefined;
let program: string | undefined;

/** A new DATA_DIR with a cluster, copied since initdb takes a second. Its superuser may sign in. */
export async function embeddedFolder(): Promise<string> {
  if (!baseDir) {
    baseDir = emptyFolder();
    await (await startEmbeddedPostgres({ dataDir: baseDir, asSuperuser: true })).stop();
  }
  const dir = emptyFolder();
  fs.cpSync(baseDir, dir, { recursive: true });
  // Each folder needs its own port, otherwise the second would start on another one.
  fs.rmSync(path.join(dir, "postgres-port"));
  return dir;
}

export function emptyFolder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "ptb-embedded-"));
  fs.chmodSync(dir, 0o755);
  made.push(dir);
  return dir;
}

/** Another process with an embedded Postgres, bundled like the host. Tests kill it by its pid. */
export async function embeddedApp(
  dataDir: string,
): Promise<{ child: ChildProcess; adopted: boolean; url: string }> {
  program ??= await bundle();
  const child = spawn(process.execPath, [program, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  apps.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    child.once("exit", (code) => reject(new Error(`the app exited with ${code}`)));
  });
  return { child, ...(JSON.parse(line) as { adopted: boolean; url: string }) };
}

async function bundle(): Promise<string> {
  const outfile = path.join(emptyFolder(), "app.mjs");
  const contents = `
    import { startEmbeddedPostgres } from "./db/embedded/start-embedded";
    const server = await startEmbeddedPostgres({ dataDir: process.argv[2] });
    console.log(JSON.stringify({ adopted: server.adopted, url: server.url }));
    setInterval(() => undefined, 60_000);
    process.on("SIGTERM", () => server.stop().then(() => process.exit()));`;
  const stdin = { contents, resolveDir: process.cwd(), loader: "ts" } as const;
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return outfile;
}

/** The pid in the folder's postmaster.pid. */
export function postmasterOf(dataDir: string): number {
  return Number(fs.readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Runs one statement on its own connection. */
export const query = (url: string, text: string): Promise<Record<string, unknown>[]> =>
  withSql(url, async (sql) => [...(await sql.unsafe(text))]);

/** Stops the apps and servers that a test left, and deletes its folders. */
export async function cleanEmbedded(): Promise<void> {
  for (const child of apps.splice(0)) await stopProcess(child, "SIGKILL");
  for (const dir of made.splice(0)) {
    if (fs.existsSync(path.join(dir, "postgres", "postmaster.pid"))) {
      await (await startEmbeddedPostgres({ dataDir: dir })).stop();
    }
    fs.rmSync(dir, { recursive: true, force: true });
  }
  // The next test file of this worker makes its own.
  baseDir = undefined;
  program = undefined;
}
