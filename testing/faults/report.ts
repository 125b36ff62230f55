import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Shape } from "../cluster/start-cluster";
import { systemName } from "../system-name";
import type { FaultRow } from "./fault-row";
import { INVARIANTS } from "./invariants";
import { COLUMNS, cellsOf, type RowResult } from "./results";
import { NOT_IN_SHAPE, rowsOf } from "./rows";

const FILE = "docs/faults.md";
const BESIDE = "## Random histories";

/** Puts the row's line of a full run, or of any run in a shape, into `docs/faults.md`; the lines of other rows stay as they were measured. */
export function writeReport(result: RowResult, rows: readonly FaultRow[]): void {
  const before = existsSync(FILE) ? readFileSync(FILE, "utf8").split("\n") : [];
  const name = nameIn(result.shape, result.row);
  const lineOf = (shape: Shape | null) => (row: FaultRow) =>
    nameIn(shape, row) === name
      ? lineOfResult(result)
      : (before.find((line) => line.startsWith(`| ${nameIn(shape, row)} |`)) ??
        `| ${nameIn(shape, row)} | ${row.fault} | not run yet${" |".repeat(9)}`);
  const tableOf = (shape: Shape | null) =>
    [`| ${columns.join(" | ")} |`, `|${columns.map(() => " --- ").join("|")}|`]
      .concat(rowsOf(shape).map(lineOf(shape)))
      .join("\n");
  const columns = [...COLUMNS, "at"];
  const promises = rows.map((row) => `- \`${row.name}\`: ${row.promise}.`);
  const invariants = Object.entries(INVARIANTS).map(([name, words]) => `- ${name}: ${words}.`);
  const text = `# Faults

\`npm run faults\` breaks the built app and its Postgres on purpose and reads the ledger's invariants meanwhile and afterwards, each
time in one snapshot. A row alone: \`npm run faults -- kill-app\`; the same commands again: \`--seed\`; the short form: \`--short\`.
Each line is the last full run of its row; "at" is its commit and date.

${tableOf(null)}

The same with two instances behind nginx (\`deploy/nginx.conf\`) and a third finalizer on one Postgres, \`npm run faults -- --short --shape cluster\`; what
strikes the app strikes one of the two. "pooled" has PgBouncer in transaction mode between them and Postgres besides, \`--shape pooled\`.

${tableOf("cluster")}
${rowsOf("pooled").map(lineOf("pooled")).join("\n")}

Not run in either shape:

${reasonsOf("cluster")}

Nor in "pooled":

${reasonsOf("pooled")}

Measured on ${machine()}.

What a row says of time limits of answers ("≤ 10 s") is by the app's own clock, less the time for which a busy machine left the app alone.
"Worst recovery" is the longest time from the moment a killed process, a database or a link was back to the first success; "slowest answer" the longest
that any request waited. A request that got no answer (its process was killed) is sent again under its id by the client.

What each row promises:

${promises.join("\n")}

The invariants. All are read in one snapshot; I6 is looked at once, after the faults:

${invariants.join("\n")}

${writtenBeside(before.join("\n"))}`;
  writeFileSync(FILE, text);
}

/** What people wrote below the rows stays. */
function writtenBeside(report: string): string {
  const start = report.indexOf(BESIDE);
  return start < 0 ? "" : report.slice(start);
}

const nameIn = (shape: Shape | null, { name }: FaultRow) => (shape ? `${name}, ${shape}` : name);

const reasonsOf = (shape: Shape) =>
  Object.entries(NOT_IN_SHAPE[shape])
    .map(([name, reason]) => `- \`${name}\`: ${reason}.`)
    .join("\n");

function lineOfResult(result: RowResult): string {
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
  const at = `${git("rev-parse", "--short", "HEAD")}, ${new Date().toISOString().slice(0, 10)}`;
  const [, ...cells] = cellsOf(result);
  return `| ${[nameIn(result.shape, result.row), ...cells, at].join(" | ")} |`;
}

function machine(): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} × ${processors[0]?.model.trim() || "unnamed processor"}, ${gigabytes} GB, ${systemName()}, Node ${process.versions.node}, Postgres 18 (embedded)`;
}
