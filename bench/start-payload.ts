import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/db/free-port";
import { type Contender, pausing, stopAtEnd } from "./contenders";
import { installPeers } from "./install-peers";
import type { World } from "./world";

const FOLDER = "bench/peers/payload";
const NEXT = "node_modules/next/dist/bin/next";
/** Records what the build was made from. */
const STAMP = `${FOLDER}/.next/built-from`;
const NOT_SOURCES = new Set(["node_modules", ".next"]);
/** It loads its code and migrates with the first request. */
const START_SECONDS_MAX = 120;
/** A connection may be idle while a load's last requests are answered. */
const KEEP_ALIVE_MS = 3_600_000;

const environment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  PAYLOAD_SECRET: "payload-secret-of-this-bench-run",
  DATABASE_URL: databaseUrl,
});

/** Installs Payload and builds it for production, unless the build is up to date. */
export function buildPayload(): void {
  installPeers(FOLDER);
  const sources = digestOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  console.log(`Building ${FOLDER} …`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [NEXT, "build"], {
    cwd: FOLDER,
    encoding: "utf8",
    env: environment(""),
  });
  if (status !== 0) throw new Error(`${FOLDER} could not be built:\n${stdout}\n${stderr}`);
  writeFileSync(STAMP, sources);
}

function digestOfSources(): string {
  const digest = createHash("sha256").update(process.version);
  for (const path of filesIn(FOLDER)) digest.update(`${path}\n`).update(readFileSync(path));
  return digest.digest("hex");
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_SOURCES.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : [path];
  });

/** Starts the built Payload on an empty database, which it migrates. */
export async function startPayload(world: World, databaseUrl: string): Promise<Contender> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const words = ["start", "-H", "127.0.0.1", "-p", String(port), "--keepAliveTimeout", String(KEEP_ALIVE_MS)];
  const child = spawn(process.execPath, [NEXT, ...words], {
    cwd: FOLDER,
    env: environment(databaseUrl),
    stdio: ["ignore", "ignore", "inherit"],
  });
  stopAtEnd(world, child);
  await untilAnswers(`${url}/api/batches?limit=1`, child);
  return { url, ...pausing(child.pid!) };
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (const endsAt = Date.now() + START_SECONDS_MAX * 1000; Date.now() < endsAt; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`${FOLDER} exited with ${child.exitCode}`);
    const reply = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
    if (reply?.status === 200) return;
  }
  throw new Error(`${FOLDER} did not answer in ${START_SECONDS_MAX} s`);
}
