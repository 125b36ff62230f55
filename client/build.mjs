// `npm run build:client`: makes client/dist with the project's own compiler. Deletes the old build first, so that no stale file is published.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at("dist"), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [at("../node_modules/typescript/bin/tsc"), "-p", at("tsconfig.json")],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
