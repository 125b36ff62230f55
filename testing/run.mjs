// The steps of `npm run check`, `npm test` and `npm run test:deep`, cheapest first.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { MARKED_SECRETS } from "./marked-secrets.mjs";

const node = process.execPath;
const bin = (name, folder = ".") =>
  `${folder}/node_modules/.bin/${name}${process.platform === "win32" ? ".cmd" : ""}`;
const vitest = (...words) => run(bin("vitest"), ["run", ...words]);
const launch = (...words) => run(node, ["server/launch.mjs", ...words]);

const BUILD = ["build", () => run(node, ["server/launch.mjs", "build"], MARKED_SECRETS)];
const CHECK = [
  ["format and lint", () => run(bin("biome"), ["check", "--error-on-warnings", "."])],
  // Each further checker reads the libraries' types again.
  ["types", () => run(bin("tsc"), ["--noEmit", "--checkers", "1"])],
  ["unused code", () => run(bin("knip"), [])],
  ["words", () => run(node, ["testing/check-words.mjs"])],
  ["weight", () => run(node, ["testing/weigh.mjs"])],
  ["unit tests", () => vitest("--project", "unit")],
];

const TEST = [
  // The build does not fill two cores.
  { atTheSameTime: [[BUILD], CHECK] },
  ["generated files are up to date", () => launch("generate", "--check")],
  ["promtool, for the alert rules", unpackPromtool],
  // Together, since some of each mostly wait for leases and delays.
  ["database, race and contract tests", () => vitest("--project", "db", "--project", "contract")],
  ["journeys in Chromium", () => (haveChromium() ? run(bin("playwright"), ["test"]) : NOTHING)],
];

const SECRETLINT = ["--secretlintrc", "testing/secretlint.json", "--secretlintignore", ".gitignore", "**/*"];
const REDOCLY = ["lint", "openapi.json", "--config", "testing/document/redocly.yaml", "--format=stylish"];
const DEEP = [
  ["packages of the deep tests", installDeepPackages],
  ["the OpenAPI document", () => run(bin("redocly", "testing"), REDOCLY)],
  ["no secret in a file", () => run(bin("secretlint", "testing"), SECRETLINT)],
  BUILD,
  [
    "faults, processes, the model, long and routed database tests",
    () => vitest("--project", "deep", "--project", "deep-db", "--project", "routed"),
  ],
  ["journeys on the other screens", otherJourneys],
];

const PICTURES = [
  BUILD,
  ["pictures", () => run(bin("playwright"), ["test", "pictures", "-u", "changed"], { DEEP_TESTS: "1" })],
];
const SUITES = { check: CHECK, test: TEST, deep: DEEP, pictures: PICTURES };

const INSTALL_MS_MAX = 300_000;
const DOWNLOAD_MS_MAX = 60_000;

/**
 * Whether a program is there, installed from Debian's packages if this runs as root there.
 * @param {{ program: string, package: string }} tool
 */
function haveTool({ program, package: name }) {
  const isThere = () => spawnSync(program, ["--version"]).status === 0;
  if (isThere()) return true;
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...given) =>
    spawnSync("apt-get", given, { stdio: "ignore", env, timeout: INSTALL_MS_MAX }).status === 0;
  apt("update", "-qq");
  return apt("install", "-y", "-qq", name) && isThere();
}

/** Debian's, not installed, since that starts a server. Without it the tests of the rules are skipped. */
function unpackPromtool() {
  const cwd = "node_modules/.cache/prometheus";
  mkdirSync(cwd, { recursive: true });
  if (!existsSync(`${cwd}/usr/bin/promtool`)) {
    const script = "apt-get -qq download prometheus && dpkg-deb -x prometheus_*.deb .";
    spawnSync("sh", ["-c", script], { cwd, timeout: DOWNLOAD_MS_MAX });
  }
  return NOTHING;
}

/** Debian's Chromium, or the one that Playwright downloads. */
function haveChromium() {
  const downloaded = spawnSync(node, [
    "-e",
    "process.exit(require('fs').existsSync(require('@playwright/test').chromium.executablePath()) ? 0 : 1)",
  ]);
  if (downloaded.status === 0) return true;
  for (const name of ["chromium-headless-shell", "chromium"])
    if (haveTool({ program: `/usr/bin/${name}`, package: name })) return true;
  const listed = spawnSync(bin("playwright"), ["test", "--list"], { encoding: "utf8" });
  const count = Number(/Total: (\d+) tests?/.exec(listed.stdout ?? "")?.[1] ?? 0);
  skipped += count;
  console.log(
    `Skipped ${count} tests: there is no Chromium. Install it with \`npx playwright install chromium\`, ` +
      "or on Debian with `apt-get install chromium`.",
  );
  return false;
}

/** Packages that no other test needs. They are not part of `npm install`. */
function installDeepPackages() {
  const words = ["install", "--no-audit", "--no-fund"];
  return run("npm", words, {}, { cwd: "testing", shell: process.platform === "win32" });
}

function otherJourneys() {
  return haveChromium() ? run(bin("playwright"), ["test", "deep"], { DEEP_TESTS: "1" }) : NOTHING;
}

/** How much of a failed step's output is repeated at the end, where people look in a long log. */
const REPEATED_LINES = 60;

let passed = 0;
let failed = 0;
let skipped = 0;
const NOTHING = { status: 0, output: "" };

/** Prints a program's output when it has ended, so that those at the same time are not mixed. */
async function run(command, words, environment = {}, options = {}) {
  const env = { ...process.env, ...environment, FORCE_COLOR: "0" };
  const child = spawn(command, words, { env, stdio: ["ignore", "pipe", "pipe"], ...options });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  const status = await new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", resolve);
  });
  const output = stripVTControlCharacters(Buffer.concat(chunks).toString());
  count(output, command.includes("playwright"));
  return { status, output };
}

function count(output, isPlaywright) {
  const sum = (pattern) =>
    [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
  if (isPlaywright) {
    passed += sum(/^\s*(\d+) passed/gm);
    failed += sum(/^\s*(\d+) (?:failed|flaky)/gm);
    skipped += sum(/^\s*(\d+) skipped/gm);
    return;
  }
  for (const [line] of output.matchAll(/^\s*Tests\s+.*$/gm)) {
    const counted = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
    passed += counted("passed");
    failed += counted("failed");
    skipped += counted("skipped");
  }
}

const name = process.argv[2] ?? "test";
const failedSteps = new Map();
const startedAt = performance.now();
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);
async function play(steps) {
  for (const step of steps) {
    if (step.atTheSameTime) await Promise.all(step.atTheSameTime.map(play));
    else await playStep(step);
  }
}

async function playStep([title, step]) {
  const stepStartedAt = performance.now();
  console.log(`\n── ${title}`);
  const { status, output } = await step();
  process.stdout.write(output);
  if (status !== 0) failedSteps.set(title, output.trimEnd().split("\n").slice(-REPEATED_LINES));
  console.log(`── ${title}: ${status === 0 ? "ok" : "FAILED"} (${seconds(stepStartedAt)} s)`);
}

await play(SUITES[name]);

for (const [title, lines] of failedSteps) console.log(`\n── the end of ${title}\n${lines.join("\n")}`);
if (failedSteps.size > 0) console.log(`\nFailed: ${[...failedSteps.keys()].join("; ")}`);
if (passed === 0) console.log("\nNo test ran.");
const skips = skipped > 0 ? `, ${skipped} skipped` : "";
console.log(
  `\n${passed} passed, ${Math.max(failed, failedSteps.size)} failed${skips} (${seconds(startedAt)} s)`,
);
process.exitCode = failedSteps.size > 0 || passed === 0 ? 1 : 0;
