import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltApp, newContractToken, startBuiltApp } from "./launch-app";

/** Not the contract that the first start registers, just after the service is ready. */
const CONTRACT = "0x000000000000000000000000000000000a11ce00";
const hasTools = ["curl", "bash", "sha256sum"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

let app: BuiltApp;
let folder: string;
beforeAll(async () => {
  app = await startBuiltApp({ environment: { MINIMUM_FINALIZE_SECONDS: "1" } });
  folder = mkdtempSync(join(tmpdir(), "api-walk-"));
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!hasTools)("every command in docs/api.md runs, from a token to a finalized batch", async () => {
  const token = await newContractToken(app, CONTRACT);
  const commands = [...readFileSync("docs/api.md", "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block]) => block)
    .join("\n")
    .replaceAll("/tmp/", `${folder}/`);
  const script = join(folder, "walk.sh");
  writeFileSync(script, `set -euo pipefail\n${commands}`);
  const output = execFileSync("bash", [script], {
    encoding: "utf8",
    timeout: 200_000,
    env: {
      ...process.env,
      BASE: app.url,
      CONTRACT,
      TOKEN: token,
      DATA_DIR: app.dataDir,
      SECONDS_TO_FINALIZE: "3",
      POLL_SECONDS: "0.2",
    },
  });
  expect(output).toMatch(/"dryRun":true.*"points":"12.75"/);
  expect(output).toContain('"batchId":"payout-1","replayed":true');
  expect(output).toMatch(/304$/m);
  expect(output).toContain('"status":"FINALIZED"');
  expect(output).toMatch(/"root":"0x[0-9a-f]{64}","leaves":2/);
  expect(output).toMatch(/"proof":\["0x[0-9a-f]{64}"\],"root":"0x/);
  expect(output).toContain('"code":"not_cancellable"');
  expect(output).toMatch(/"webhooks":\[\{.*"events":\["batch.finalized","batch.cancelled"\]/);
  expect(output).toMatch(/"deliveryId":"[0-9a-f-]{36}"/);
  expect(output).toContain("the digest is the same");
  expect(output).toMatch(/^200\n?$/m);
});
