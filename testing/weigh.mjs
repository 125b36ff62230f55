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

/** Capabilities by their folders. A file counts for the first that it is in. */
const CAPABILITIES = {
  "New batch": /^app\/\(console\)\/batches\/new\//,
  payouts: /^(?:server|app\/\(console\)(?:\/batches)?)\/payouts?\//,
  submit: /^server\/batches\/submit\//,
  "bulk actions": /^(?:server\/batches\/bulk\/|app\/\(console\)\/batches\/bulk-)/,
  reversals: /^server\/batches\/reversal\//,
  review: /^server\/batches\/review\//,
  "batch changes": /^server\/batches\/change\//,
  "batch list and page": /^(?:server|app\/\(console\))\/(?:batches|views)\//,
  "allocations and claims": /\/(?:allocations?|claims)\//,
  snapshots: /\/snapshots?\//,
  recipients: /^(?:server|app\/\(console\))\/recipients\//,
  "wallet pages, receipts": /^(?:app\/r|server\/receipts)\//,
  contracts: /^(?:server|app\/\(console\))\/contracts\//,
  approvals: /\/approvals\//,
  alerts: /^(?:server\/alerts|app\/\(console\)\/inbox)\//,
  operations: /\/(?:operations|requests|metrics|forecast|books|statements)\//,
  webhooks: /\/webhooks\//,
  "staff and sign-in":
    /\/(?:staff|auth|operators|access|sign-in|profile|setup|welcome|forgot-password|mail)\//,
  "audit and search": /\/(?:audit|search)\//,
  "ledger and finalizer": /^server\/(?:ledger|finalizer)\//,
  "REST edge": /^(?:server\/rest|app\/(?:v1|api))\//,
  "documentation site": /^(?:app\/(?:docs|llms\.txt)|server\/guides)\//,
  "ops and doctor": /^server\/ops\//,
  backup: /^server\/backup\//,
  Citus: /^(?:server\/distribution|testing\/citus)\//,
  host: /^server\/(?:host|launch)\//,
  kernel: /^server\/(?:kernel|trpc)\//,
  "file reader": /^terms\/file\//,
  terms: /^terms\//,
  "command line": /^client\/cli\//,
  client: /^client\//,
  "console's shell and kit": /^app\//,
  migrations: /^db\/migrations\//,
  "embedded Postgres": /^db\/embedded\//,
  database: /^db\//,
  journeys: /^e2e\//,
  "testing and bench": /^(?:testing|bench)\//,
};

const KINDS = ["product", "tests", "SQL and JSON"];

/** Lines by capability, and by how much each grew since a commit: `node testing/weigh.mjs table REV`. */
const [, , wanted, since] = process.argv;
if (wanted === "table") {
  const now = linesOf();
  const before = since ? linesOf(since) : now;
  console.log(`\n| capability | ${KINDS.join(" | ")} |\n| --- |${" ---: |".repeat(KINDS.length)}`);
  for (const name of [...Object.keys(CAPABILITIES), "other"]) {
    const cells = KINDS.map((kind) => {
      const [is, was] = [now, before].map((side) => side.get(`${name}, ${kind}`) ?? 0);
      return is === was ? is : `${is} (${is > was ? "+" : ""}${is - was})`;
    });
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}

/** @param revision the working tree without one */
function linesOf(revision) {
  const given = ["grep", "--count", "--null", "", ...(revision ? [revision] : []), "--", ":!findings"];
  const { stdout: counted } = spawnSync("git", given, { encoding: "utf8", maxBuffer: 2 ** 26 });
  const sums = new Map();
  for (const line of counted.trim().split("\n")) {
    const [name, own] = line.split("\0");
    const file = revision ? name.slice(revision.length + 1) : name;
    const kind = kindOf(file);
    const [capability] = Object.entries(CAPABILITIES).find(([, own]) => own.test(file)) ?? ["other"];
    if (kind) sums.set(`${capability}, ${kind}`, (sums.get(`${capability}, ${kind}`) ?? 0) + Number(own));
  }
  return sums;
}

function kindOf(file) {
  if (TEST.test(file)) return "tests";
  if (GENERATED.test(file) || /\.(?:sql|json)$/.test(file)) return "SQL and JSON";
  return CODE.test(file) ? "product" : null;
}
