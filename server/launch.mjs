// Entry point of the npm scripts (`start`, `dev`, `ops`, …): builds what is out of date, then runs it.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { currentHolder } from "../db/named-lock.mjs";
import { buildApp, bundle } from "./launch/build-app.mjs";

/** How long to wait for a service that is stopping. */
const STOPPING_MS = 2000;
const NPM_LOOK_EVERY_MS = 250;
const NODE_LEAST = [20, 9];

const COMMANDS = {
  async start() {
    stopWithNpm();
    process.env.NODE_ENV = "production";
    await refuseSecondStart();
    await buildApp();
    await run("dist/host.mjs");
  },
  async dev() {
    stopWithNpm();
    process.env.NODE_ENV = "development";
    await bundle("server/host/main.ts", "dist/host.mjs");
    await run("dist/host.mjs");
  },
  build: buildApp,
  /** A self-contained folder, for images and for hosts without npm. */
  async standalone() {
    const { collect } = await import("./launch/collect.mjs");
    await buildApp();
    await collect(words[0] ?? "dist/standalone");
  },
  async ops() {
    await bundle("server/ops/main.ts", "dist/ops.mjs");
    await run("dist/ops.mjs");
  },
  bench: tool("bench", "bench/run.ts", buildApp),
  generate: tool("generate", "testing/generate.ts"),
};

/** A command for development, bundled anew each time. */
function tool(name, entry, prepare = () => undefined) {
  return async () => {
    await prepare();
    await bundle(entry, `dist/${name}.mjs`, { always: true });
    await run(`dist/${name}.mjs`);
  };
}

/** Before the build, which would replace the running service's files. The host checks again. */
async function refuseSecondStart() {
  const dataDir = process.env.DATA_DIR || ".data";
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE || !existsSync(dataDir)) return;
  const other = await currentHolder("data", dataDir);
  if (!other) return;
  const stays = sleep(STOPPING_MS, true, { ref: true });
  if (await Promise.race([other.gone, stays])) {
    refuse(`The service is already ${other.holder || "running"} with DATA_DIR ${realpathSync(dataDir)}.`);
  }
}

/** Runs a bundle in this process, so that it gets the signals and standard input, and sets the exit code. */
async function run(file) {
  process.argv = [process.execPath, resolve(file), ...words];
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(resolve(file)).href);
}

/** Exits with one clear line when the service cannot run on this machine. */
async function checkMachine() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])) {
    refuse(`Node ${NODE_LEAST.join(".")} or newer is required. This is Node ${process.versions.node}.`);
  }
  if (!["next", "postgres", "diff"].every((name) => existsSync(`node_modules/${name}`))) {
    refuse("The dependencies are not installed. Run `npm install`.");
  }
  // On install, npm patches the driver, unless its scripts are switched off.
  const { applyPatches } = await import("../patches/apply.mjs");
  const [left] = applyPatches();
  if (left) refuse(`${left} is not patched. Run \`node patches/apply.mjs\` as the owner of node_modules.`);
}

function refuse(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** A signal to npm ends its shell (dash, on Debian) without reaching us: the service would keep running. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || isAlive(npm))) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, NPM_LOOK_EVERY_MS);
  timer.unref();
}

/** The npm process above the shell, if there is one. Only Linux shows it. */
function npmAbove(shell) {
  try {
    const above = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${shell}/stat`, "utf8"))?.[1]);
    return readFileSync(`/proc/${above}/cmdline`, "utf8").startsWith("npm") ? above : null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

const [command = "", ...words] = process.argv.slice(2);
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
// Variables that are already set override the file. Node before 20.12 cannot read one.
if (existsSync(".env")) {
  if (process.loadEnvFile) process.loadEnvFile(".env");
  else
    process.stderr.write(
      "This version of Node cannot read .env. " +
        "Set environment variables instead, or use Node 20.12 or newer.\n",
    );
}
if (!Object.hasOwn(COMMANDS, command))
  refuse(`Unknown command. Use one of: ${Object.keys(COMMANDS).join(", ")}.`);
await checkMachine();
await COMMANDS[command]();
