import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Exchange, startRecordingProxy } from "./recording-proxy";

/** Several times what it takes, also on a machine that is busy with something else. */
const RUN_MS_MAX = 220_000;
const JAR = resolve("testing/node_modules/specmatic/specmatic.jar");
const CONFIGURATION = `version: 2
contracts:
  - provides:
      - openapi.json
test:
  resiliencyTests:
    enable: all
disable_telemetry: true
`;

export interface SpecmaticReport {
  run: number;
  failed: number;
  /** Its output about failed tests. */
  failures: string[];
  /** How many requests of each kind it sent, and their answers. */
  table: string;
}

/**
 * Sends specmatic's generated requests to an app, with a token for every named security scheme.
 * @throws Error if it did not finish in time or did not count its tests
 */
export async function runSpecmatic(
  document: object,
  appUrl: string,
  tokens: Record<string, string>,
): Promise<SpecmaticReport> {
  const folder = mkdtempSync(join(tmpdir(), "specmatic-"));
  const proxy = await startRecordingProxy(appUrl);
  try {
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
    writeFileSync(join(folder, "specmatic.yaml"), CONFIGURATION);
    writeFileSync(join(folder, "hosts"), "127.0.0.1 localhost\n");
    const output = await runJar(folder, proxy.url, tokens);
    const counts = /Tests run: (\d+), Successes: \d+, Failures: (\d+), WIP: \d+, Errors: (\d+)/.exec(output);
    if (!counts) throw new Error(`specmatic counted no tests:\n${output.slice(-4000)}`);
    return {
      run: Number(counts[1]),
      failed: Number(counts[2]) + Number(counts[3]),
      failures: failuresOf(output),
      table: tableOf(proxy.exchanges),
    };
  } finally {
    await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function runJar(folder: string, url: string, tokens: Record<string, string>): Promise<string> {
  // Resolves only localhost, so that it sends nothing elsewhere and does not wait for a network.
  const words = [
    // It runs too briefly for the optimizing compiler: without it, it takes half the processor's time.
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    `-Djdk.net.hosts.file=${join(folder, "hosts")}`,
    "-jar",
    JAR,
    "test",
    `--testBaseURL=${url}`,
  ];
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, HOME: folder, ...tokens };
    const child = spawn("java", words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), RUN_MS_MAX);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (_, signal) => {
      clearTimeout(timer);
      const output = Buffer.concat(chunks).toString();
      if (signal) reject(new Error(`specmatic was ended by ${signal}:\n${output.slice(-4000)}`));
      else resolve(output);
    });
  });
}

function tableOf(exchanges: readonly Exchange[]): string {
  const counts = new Map<string, number>();
  for (const { method, path, expected, status } of exchanges) {
    const kind = path.replace(/\?.*/, "").replace(/(contracts|batches)\/[^/]+/g, "$1/{}");
    const row = `${method.padEnd(6)} ${kind.padEnd(34)} wants ${expected === "200" ? "200" : "4xx"} gets ${status}`;
    counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  return [...counts]
    .sort()
    .map(([row, count]) => `${String(count).padStart(5)} ${row}`)
    .join("\n");
}

/** Each test's request and reply come before the line with its outcome. */
function failuresOf(output: string): string[] {
  return output
    .split(/^-{20}$/m)
    .filter((part) => /^\s*[+-]ve .* has FAILED/m.test(part))
    .map((part) => part.trim());
}
