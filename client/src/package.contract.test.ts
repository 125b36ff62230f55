import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenLocally } from "@/testing/local-servers";

const NAME = "point-transfer-batches-client";
const project = mkdtempSync(join(tmpdir(), "packed-client-"));
let packed: { filename: string; files: { path: string }[] };
let service: Server;
let port: number;

const run = (command: string, words: string[], cwd = project) =>
  execFileSync(command, words, { cwd, encoding: "utf8", stdio: "pipe", shell: process.platform === "win32" });

beforeAll(async () => {
  const [made] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", project], resolve("client")));
  packed = made;
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(project, packed.filename)]);
  service = createServer((request, reply) => {
    reply.setHeader("Content-Type", "application/json");
    reply.end(JSON.stringify({ success: true, batchId: request.url?.split("/").at(-1) }));
  });
  port = await listenLocally(service);
});
afterAll(() => {
  service?.close();
  rmSync(project, { recursive: true, force: true });
});

test("the package contains the build, its README and its license, and no tests", () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "README.md", "LICENSE"]));
  const others = paths.filter((path) => !/^dist\/[a-z-]+\.(?:js|d\.ts)$/.test(path)).sort();
  const bundle = "dist/cli/point-batches.mjs";
  expect(others).toEqual(["LICENSE", "README.md", bundle, `${bundle}.licenses.txt`, "package.json"]);
});

test("it has no dependencies, and imports only its own files", () => {
  expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([NAME]);
  const dist = join(project, "node_modules", NAME, "dist");
  for (const file of readdirSync(dist).filter((name) => name.endsWith(".js"))) {
    const specifiers = [
      ...readFileSync(join(dist, file), "utf8").matchAll(/\bfrom "([^"]+)"|\bimport\(?\s*"([^"]+)"/g),
    ];
    for (const [, from, imported] of specifiers) expect(from ?? imported).toMatch(/^\.\/[a-z-]+\.js$/);
  }
});

test("a plain Node program submits a batch with it", async () => {
  writeFileSync(
    join(project, "submit.mjs"),
    `import { createClient } from "${NAME}";
     const baseUrl = "http://127.0.0.1:${port}";
     const client = createClient({ baseUrl, token: "t", contractAddress: "0xC0" });
     const batch = { pointType: "PHASE2_POINTS", transfers: [{ toAddress: "0x1", points: "1" }] };
     console.log(JSON.stringify(await client.submitBatch(batch, { batchId: "b-1" })));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ["submit.mjs"], { cwd: project });
  expect(JSON.parse(stdout)).toEqual({ success: true, batchId: "b-1", replayed: false });
});

test("its command line needs nothing but the package", () => {
  writeFileSync(
    join(project, "payout.csv"),
    "address,amount\n0x000000000000000000000000000000000000dead,10.5\n",
  );
  const words = ["--offline", "point-batches", "check", "payout.csv", "--type", "PHASE2_POINTS"];
  expect(run("npx", words)).toBe(
    "payout.csv: 1 transfer, 10.5 PHASE2_POINTS, in 1 batch. No errors by the default limits.\n" +
      "Addresses from “address”, amounts from “amount” (column 2).\n",
  );
});

test("it runs with web APIs only, without Node's", async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${NAME}";`, resolveDir: project },
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "points",
  });
  const texts = { URL, URLSearchParams, TextDecoder, TextEncoder };
  const web = { fetch, crypto, AbortController, AbortSignal, performance, setTimeout, clearTimeout };
  const context = createContext({ ...web, ...texts });
  runInContext(outputFiles[0]!.text, context);
  const submitted = await runInContext(
    `points.createClient({ baseUrl: "http://127.0.0.1:${port}", token: "t", contractAddress: "0xC0" })
       .submitBatch({ pointType: "PHASE2_POINTS", transfers: [] })`,
    context,
  );
  expect(submitted.batchId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await runInContext(`points.batchDigest("0xC0", { transfers: [] })`, context)).toMatch(
    /^[0-9a-f]{64}$/,
  );
});

test("the README's code matches the types, and a numeric amount does not", () => {
  const readme = readFileSync("client/README.md", "utf8");
  const code = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]).join("\n");
  const wrong = `const transfers = [{ toAddress: "0x1", points: 1 }];
// @ts-expect-error
await client.submitBatch({ ...batch, transfers });`;
  const names = `declare const process: { env: Record<string, string | undefined> };
void [BatchCancelled, BatchOverdue];`;
  writeFileSync(join(project, "readme.ts"), `${code}\n${wrong}\n${names}`);
  const lib = ["ES2022", "DOM", "DOM.Iterable"];
  const options = { target: "ES2022", lib, types: [], strict: true, noEmit: true, skipLibCheck: false };
  const compilerOptions = { module: "nodenext", moduleResolution: "nodenext", ...options };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["readme.ts"] }));
  run(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", project]);
});
