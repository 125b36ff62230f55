// Part of `npm run check`: the tree's weight against testing/weight.json. Who raises a number says why.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const CODE = /\.(?:ts|tsx|mjs|css)$/;
const TEST = /\.(?:test|spec)\.tsx?$|^e2e\//;
const GENERATED = /^client\/src\/api-types\.ts$|^db\/migrations\//;

const { stdout } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
});
/** Findings are about other people's tools. They may grow without the product growing. */
const files = stdout
  .trim()
  .split("\n")
  .filter((file) => existsSync(file) && !file.startsWith("findings/"));
const textOf = (file) => readFileSync(file, "utf8");
const count = (pattern, texts) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
const lines = (chosen) => count(/\n/g, chosen.map(textOf));

const code = files.filter((file) => CODE.test(file) && !GENERATED.test(file));
const tests = code.filter((file) => TEST.test(file));
const within = (pattern) => code.filter((file) => pattern.test(file) && !TEST.test(file));
const product = within(/^(?:app|server|terms|db|client)\/(?!.*\btesting\/)/);
/** The formatter wraps code. Strings, SQL and comments are wrapped by hand. */
const OVER_110_COLUMNS = /^.{111,}$/gm;
const docs = files.filter((file) => /^(?:docs\/.*|README|CONTRIBUTING)\.md$/.test(file));

const weight = {
  "product lines": lines(product),
  "product files": product.length,
  "lines over 110 columns": count(
    OVER_110_COLUMNS,
    product.filter((file) => !file.endsWith(".css")).map(textOf),
  ),
  "test lines": lines(tests),
  "test files": tests.length,
  "lines of testing/": lines(within(/^testing\//)),
  "lines of bench/": lines(within(/^bench\//)),
  "lines of db/migrations/meta": lines(files.filter((file) => file.startsWith("db/migrations/meta/"))),
  "words of docs": count(/\S+/g, docs.map(textOf)),
  "files in all": files.length,
  "packages in the lock": Object.keys(JSON.parse(textOf("package-lock.json")).packages).length - 1,
};

const most = JSON.parse(textOf("testing/weight.json"));
for (const [what, now] of Object.entries(weight)) {
  const isHeavy = !(now <= most[what]);
  console.log(`${what.padEnd(28)}${String(now).padStart(7)} of ${most[what]}${isHeavy ? "  TOO MUCH" : ""}`);
  if (isHeavy) process.exitCode = 1;
}
