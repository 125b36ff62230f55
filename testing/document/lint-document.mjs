// `npm run lint:document`: checks the committed OpenAPI document with two outside linters. Neither may use the network.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bin = (name) => `testing/node_modules/.bin/${name}${process.platform === "win32" ? ".cmd" : ""}`;
const silent = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", SCARF_ANALYTICS: "false" };

const linters = [
  [bin("redocly"), ["lint", "openapi.json", "--config", `${here}/redocly.yaml`, "--format=stylish"]],
  [bin("spectral"), ["lint", "openapi.json", "--ruleset", `${here}/spectral.yaml`, "--fail-severity=warn"]],
];

for (const [command, words] of linters) {
  const { status, error } = spawnSync(command, words, {
    stdio: "inherit",
    env: { ...process.env, ...silent },
    shell: process.platform === "win32",
    timeout: 60_000,
  });
  if (error) console.error(error.message);
  if (status !== 0) process.exitCode = 1;
}
