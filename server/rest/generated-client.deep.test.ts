import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltApp, newContractToken, startBuiltApp } from "@/testing/launch-app";

const CONTRACT = "0x000000000000000000000000000000000c11e500";
const GENERATOR = "testing/node_modules/@hey-api/openapi-ts/bin/index.cjs";

/** What a team would write against the generated client. */
const PROGRAM = `
import { batchesGet, batchesList, batchesSubmitIdempotently } from "./generated";
import { client } from "./generated/client.gen";

client.setConfig({ baseUrl: process.env.BASE, auth: () => process.env.TOKEN });
const path = { contractAddress: process.env.CONTRACT! };
const body = {
  pointType: "PHASE2_POINTS" as const,
  secondsToFinalize: 1,
  transfers: [{ toAddress: "0x000000000000000000000000000000000000dead", points: "10.5" }],
};
const submitted = await batchesSubmitIdempotently({ path: { ...path, batchId: "generated-1" }, body, throwOnError: true });
const listed = await batchesList({ path, query: { pointType: "PHASE2_POINTS", limit: 1 }, throwOnError: true });
const { batchId } = submitted.data;
if (batchId === null) throw new Error("Only the dry run of a POST has no ID.");
const one = await batchesGet({ path: { ...path, batchId }, throwOnError: true });
const points: string = one.data.batch.transfers[0]!.points;
const cursor: string | null = listed.data.cursor;
const refused = await batchesSubmitIdempotently({ path: { ...path, batchId: "generated-2" }, body: { ...body, transfers: [] } });
console.log(JSON.stringify({ batchId, points, cursor, ids: listed.data.batch.map(({ id }) => id), code: refused.error?.code }));
`;
const WRONG = `
// @ts-expect-error
await batchesSubmitIdempotently({ path: { ...path, batchId }, body: { ...body, transfers: [{ toAddress: "0x1", points: 1 }] } });
// @ts-expect-error
await batchesList({ path, query: { pointType: "PHASE3" } });
`;

let app: BuiltApp;
let folder: string;
beforeAll(async () => {
  app = await startBuiltApp({ environment: { MINIMUM_FINALIZE_SECONDS: "1" } });
  folder = mkdtempSync(join(tmpdir(), "generated-client-"));
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a client that a public generator makes from the served document has the right types, submits and lists", async () => {
  const document = join(folder, "openapi.json");
  writeFileSync(document, await (await fetch(`${app.url}/v1/openapi.json`)).text());
  const words = [
    "-i",
    document,
    "-o",
    join(folder, "generated"),
    "-c",
    "@hey-api/client-fetch",
    "--no-log-file",
  ];
  execFileSync(process.execPath, [resolve(GENERATOR), ...words], { stdio: "pipe" });

  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "checked.ts"), `${PROGRAM}${WRONG}`);
  const compilerOptions = {
    ...{ target: "ES2022", module: "ESNext", moduleResolution: "bundler", strict: true, noEmit: true },
    ...{
      lib: ["ES2022", "DOM", "DOM.Iterable"],
      types: ["node"],
      typeRoots: [resolve("node_modules/@types")],
    },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["checked.ts"] }));
  const check = () => spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder]);
  expect(check().stdout.toString()).toBe("");

  const program = join(folder, "program.mjs");
  await build({
    entryPoints: [join(folder, "program.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  const token = await newContractToken(app, CONTRACT);
  const env = { ...process.env, BASE: app.url, CONTRACT, TOKEN: token };
  expect(JSON.parse(execFileSync(process.execPath, [program], { env, encoding: "utf8" }))).toEqual({
    batchId: "generated-1",
    points: "10.5",
    cursor: null,
    ids: ["generated-1"],
    code: "validation_failed",
  });
});
