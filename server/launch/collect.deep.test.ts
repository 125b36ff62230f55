import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

test("a standalone build finds the packages that the command line loads", () => {
  const script = `
    import { trace } from "./server/launch/collect.mjs";
    console.log((await trace(["dist/ops.mjs"])).join("\\n"));`;
  const words = ["--input-type=module", "--eval", script];
  const files = execFileSync(process.execPath, words, { encoding: "utf8" }).split("\n");
  for (const name of [
    "dist/ops.mjs",
    "node_modules/postgres/src/index.js",
    "node_modules/commander/index.js",
  ])
    expect(files).toContain(name);
});
