import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFree } from "@/db/embedded/free-port";

const START_SECONDS_MAX = 120;
const STOP_SECONDS_MAX = 20;
/** What an app prints once it serves. Until then another test's app, on the same port, may answer for it. */
const READY = /^Ready/m;
const PORTS = 500;
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX = "0" } = process.env;
/** Each process has its own, since others start apps too: above 10,080, which `fetch` refuses. */
const PORTS_FROM = 10_500 + Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX) * PORTS;
let lastPort = randomInt(PORTS);

/** Tests send more than a caller may; tests of the limits set their own. */
export const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: "0",
  TOKEN_FAILURES_PER_MINUTE: "0",
  SIGN_IN_RATE_LIMIT_PER_MINUTE: "0",
  CONSOLE_RATE_LIMIT_PER_MINUTE: "0",
  PUBLIC_RATE_LIMIT_PER_MINUTE: "0",
  SIGN_IN_FAILURES_PER_MINUTE: "0",
  PASSWORD_FAILURES_PER_EMAIL: "0",
};

export interface BuiltApp {
  url: string;
  pid: number;
  dataDir: string;
  cronSecret: string;
  admin: { email: string; password: string };
  /** The database URL: from the environment, or of the Postgres in its folder. */
  databaseUrl(): string;
  /** The app's output so far. */
  output(): string;
  /** Runs the built command line on this app's data. @returns standard output @throws with standard error */
  ops(words: string[], standardInput?: string, environment?: Record<string, string>): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export interface Options {
  /** `host`: the Node host answers `/v1` itself. `next`: the route in `app/v1` does, as on Vercel. */
  door?: "host" | "next";
  environment?: Record<string, string>;
  dataDir?: string;
  /** A free one when absent. */
  port?: number;
  /** Node options. */
  nodeArguments?: string[];
  /** Folder of the built app; this one when absent. */
  folder?: string | undefined;
}

/** The built app, starting or running. */
export interface LaunchedApp extends BuiltApp {
  /** Resolves when it serves; rejects with its output if it exits first. */
  ready(): Promise<void>;
  /** Null while it runs, and if a signal ended it. */
  exitCode(): number | null;
  /** Resolves when the process has exited, for any reason. */
  ended: Promise<void>;
}

/** A free port that no other test process takes. */
export async function appPort(): Promise<number> {
  do lastPort = (lastPort + 1) % PORTS;
  while (!(await isFree(PORTS_FROM + lastPort)));
  return PORTS_FROM + lastPort;
}

/** Starts the built app on a free port with its own database, and does not wait until it serves. */
export async function launchBuiltApp(options: Options = {}): Promise<LaunchedApp> {
  const dataDir = options.dataDir ?? ownFolder(options.environment ?? {});
  const port = options.port ?? (await appPort());
  const url = `http://127.0.0.1:${port}`;
  const admin = { email: "admin@example.com", password: "correct horse battery" };
  const cronSecret = "cron-secret-of-this-test-run";
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    NODE_ENV: "production",
    PORT: String(port),
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: admin.password,
    CRON_SECRET: cronSecret,
    LOG_LEVEL: "warn",
    ...NO_LIMITS,
    ...(options.door === "next" ? { VERCEL: "1" } : {}),
    ...options.environment,
  };
  const server = options.door === "next" ? "testing/next-minimal.mjs" : "dist/host.mjs";
  const child = spawn(process.execPath, [...(options.nodeArguments ?? []), server], {
    env: environment,
    cwd: options.folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collect(child);
  return {
    url,
    pid: child.pid!,
    ready: () => untilReady(url, child, output),
    ended: endOf(child),
    exitCode: () => child.exitCode,
    dataDir,
    cronSecret,
    admin,
    databaseUrl: () => environment.DATABASE_URL ?? embeddedUrl(dataDir),
    output,
    ops: (words, standardInput, more) => runOps(words, { ...environment, ...more }, standardInput),
    kill: (signal) => stopProcess(child, signal),
    async stop() {
      await stopProcess(child, "SIGTERM");
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The URL of the embedded Postgres in an app's DATA_DIR. */
export function embeddedUrl(dataDir: string): string {
  const read = (name: string) => readFileSync(join(dataDir, name), "utf8").trim();
  return `postgres://app:${read("postgres-password")}@127.0.0.1:${read("postgres-port")}/postgres`;
}

/** Copies a folder in which the app has started once, if there is one (`app-template.ts`). */
export function ownFolder({ DATABASE_URL, ADMIN_PASSWORD }: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "built-app-"));
  const { APP_TEMPLATE } = process.env;
  if (APP_TEMPLATE && !DATABASE_URL && !ADMIN_PASSWORD) cpSync(APP_TEMPLATE, folder, { recursive: true });
  return folder;
}

/** Registers a contract on the command line. @returns a token for it */
export async function newContractToken({ ops }: Pick<BuiltApp, "ops">, contract: string): Promise<string> {
  await ops(["contract", "create", "--address", contract, "--label", "A contract"]);
  return await newToken({ ops }, contract);
}

/** Creates a token for a contract on the command line. */
export async function newToken({ ops }: Pick<BuiltApp, "ops">, contract: string): Promise<string> {
  const made = await ops(["token", "create", "--contract", contract, "--name", "test", "--json"]);
  return (JSON.parse(made) as { token: string }).token;
}

function collect(child: ChildProcess): () => string {
  let text = "";
  const add = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-2_000_000);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return () => text;
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (const endsAt = Date.now() + START_SECONDS_MAX * 1000; Date.now() < endsAt; ) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the app exited with ${child.exitCode ?? child.signalCode}:\n${output()}`);
    const reply = READY.test(output()) ? await fetch(`${url}/readyz`).catch(() => null) : null;
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error(`the app was not ready in ${START_SECONDS_MAX} s:\n${output()}`);
}

/** Sends a signal and waits until the process has exited; kills it if that takes too long. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_SECONDS_MAX * 1000);
  child.kill(signal);
  await endOf(child);
  clearTimeout(timer);
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
}

export function runOps(words: string[], environment: NodeJS.ProcessEnv, standardInput = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ["dist/ops.mjs", ...words],
      { env: environment },
      (error, stdout, stderr) =>
        error
          ? reject(new Error(`ops ${words.join(" ")}: ${stderr || stdout || error.message}`))
          : resolve(stdout),
    );
    child.stdin?.end(standardInput);
  });
}

/** Starts the built app on a free port with its own database. */
export async function startBuiltApp(options: Options = {}): Promise<BuiltApp> {
  const app = await launchBuiltApp(options);
  await app.ready();
  return app;
}
