// `npm test`: everything, in the order in which a fault shows soonest. Each step's own output is shown; the last line counts.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { MARKED_SECRETS } from "./marked-secrets.mjs";

const node = process.execPath;
const bin = (name) => `node_modules/.bin/${name}${process.platform === "win32" ? ".cmd" : ""}`;
const launch = ["server/launch.mjs"];

/** Debian's Chromium where there is one or can be; elsewhere Playwright's own download. */
function ensureChromium() {
  const isThere = () => existsSync("/usr/bin/chromium");
  if (isThere() || (installFromDebian("chromium") && isThere())) return 0;
  return spawnSync(bin("playwright"), ["install", "chromium"], { stdio: "inherit" }).status ?? 1;
}

/** Specmatic is a jar. */
function ensureJava() {
  const isThere = () => spawnSync("java", ["-version"]).status === 0;
  if (isThere() || (installFromDebian("default-jre-headless") && isThere())) return 0;
  console.log("There is no `java`: install a Java runtime, 17 or newer.");
  return 1;
}

/** For the test of `deploy/nginx.conf`, which is left out where there is none and none can be had. */
function ensureNginx() {
  if (spawnSync("nginx", ["-v"]).status !== 0) installFromDebian("nginx-light");
  return 0;
}

function installFromDebian(name) {
  if (!existsSync("/usr/bin/apt-get")) return false;
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = (...words) => {
    const [command, ...rest] = [...sudo, "apt-get", ...words];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(command, rest, { stdio: "inherit", env }).status;
  };
  apt("update", "-qq");
  return apt("install", "-y", "-qq", name) === 0;
}

const SECRETLINT = ["--secretlintrc", "testing/secretlint.json", "--secretlintignore", ".gitignore", "**/*"];
/** Together: some of each wait for minutes in all, for leases and delays. */
const TESTS_WITH_DATABASE = ["run", "--project", "db", "--project", "routed", "--project", "contract"];
/** The faults install faketime and PgBouncer from Debian; elsewhere the rows that need them are left out, and say so. */
const allowMissing = existsSync("/usr/bin/apt-get") ? [] : ["--allow-missing"];

const steps = [
  ["format and lint", () => run(bin("biome"), ["check", "--error-on-warnings", "."])],
  ["build", () => run(node, [...launch, "build"], MARKED_SECRETS)],
  ["types", () => run(bin("tsc"), ["--noEmit"])],
  ["dead code", () => run(bin("knip"), [])],
  ["generated files are fresh", () => run(node, [...launch, "generate", "--check"])],
  ["the document by outside linters", () => run(node, ["testing/document/lint-document.mjs"])],
  ["no secret in a file", () => run(bin("secretlint"), SECRETLINT)],
  ["unit tests", () => run(bin("vitest"), ["run", "--project", "unit"])],
  ["an nginx for the tests", ensureNginx],
  ["database, race, model and contract tests", () => run(bin("vitest"), TESTS_WITH_DATABASE)],
  ["faults, short form", () => run(node, [...launch, "faults", "--short", ...allowMissing])],
  ["a Java for specmatic", ensureJava],
  ["requests that specmatic generates", () => run(bin("vitest"), ["run", "--project", "specmatic"])],
  ["a browser for the journeys", ensureChromium],
  ["journeys in Chromium", () => run(bin("playwright"), ["test"])],
];

/** Of a step that failed; said again at the very end, where whoever reads only the end of a long log finds it. */
const LINES_SAID_AGAIN = 60;

let passedTests = 0;
let failedTests = 0;
let lastOutput = "";

function run(command, words, environment = {}) {
  const result = spawnSync(command, words, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, ...environment, FORCE_COLOR: "0" },
  });
  const output = stripVTControlCharacters(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  process.stdout.write(output);
  lastOutput = output;
  for (const [, failed, passed] of output.matchAll(/^\s*Tests\s+(?:(\d+) failed \| )?(?:(\d+) passed)?/gm)) {
    failedTests += Number(failed ?? 0);
    passedTests += Number(passed ?? 0);
  }
  if (command.includes("playwright")) {
    passedTests += Number(/^\s*(\d+) passed/m.exec(output)?.[1] ?? 0);
    failedTests += Number(/^\s*(\d+) failed/m.exec(output)?.[1] ?? 0);
  }
  return result.status ?? 1;
}

/** The name of each with the end of what it printed. */
const failedSteps = new Map();
for (const [name, step] of steps) {
  const startedAt = performance.now();
  console.log(`\n── ${name}`);
  lastOutput = "";
  if (step() !== 0) failedSteps.set(name, lastOutput.trimEnd().split("\n").slice(-LINES_SAID_AGAIN));
  console.log(
    `── ${name}: ${failedSteps.has(name) ? "FAILED" : "ok"} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
  );
}

for (const [name, lines] of failedSteps) console.log(`\n── ${name}, its end again\n${lines.join("\n")}`);
if (failedSteps.size > 0) console.log(`\nFailed: ${[...failedSteps.keys()].join("; ")}`);
if (passedTests === 0) console.log("\nNo test ran.");
console.log(`\n${passedTests} passed, ${Math.max(failedTests, failedSteps.size)} failed`);
process.exitCode = failedSteps.size > 0 || passedTests === 0 ? 1 : 0;
