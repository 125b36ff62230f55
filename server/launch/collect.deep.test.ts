import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { fileOf, GUIDE_NAMES } from "@/server/guides/guides";

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

test.each(["[guide]/page", "markdown/[guide]/route", "search.json/route"])(
  "a standalone build, and Vercel, find the guides that docs/%s reads at run time",
  (route) => {
    const trace = `.next/server/app/docs/${route}.js.nft.json`;
    const { files } = JSON.parse(readFileSync(trace, "utf8")) as { files: string[] };
    const found = files.map((file) => relative(process.cwd(), resolve(dirname(trace), file)));
    expect(found).toEqual(expect.arrayContaining(GUIDE_NAMES.map(fileOf)));
  },
);
