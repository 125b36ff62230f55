import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Shape } from "../cluster/start-cluster";
import { systemName } from "../kernel-name";
import type { FaultRow } from "./fault-row";
import { INVARIANTS } from "./invariants";
import { COLUMNS, cellsOf, type RowResult } from "./results";
import { NOT_IN_SHAPE, rowsOf } from "./rows";

const FILE = "docs/faults.md";
const BESIDE = "## Random histories";

/** Writes the line of a full run, or of any run in a shape, to `docs/faults.md`; other rows keep their lines. */
export function writeReport(result: RowResult, rows: readonly FaultRow[]): void {
  const before = existsSync(FILE) ? readFileSync(FILE, "utf8").split("\n") : [];
  const name = nameIn(result.shape, result.row);
  const lineOf = (shape: Shape | null) => (row: FaultRow) =>
    nameIn(shape, row) === name
      ? lineOfResult(result)
      : (before.find((line) => line.startsWith(`| ${nameIn(shape, row)} |`)) ??
        lineIn(shape, [nameIn(shape, row), row.fault, "not run yet", ...COLUMNS.slice(2).map(() => "")]));
  const tableOf = (shape: Shape | null) =>
    [
      lineIn(shape, [...COLUMNS, "at"]),
      lineIn(
        shape,
        [...COLUMNS, "at"].map(() => "---"),
      ),
    ]
      .concat(rowsOf(shape).map(lineOf(shape)))
      .join("\n");
  const promises = rows.map((row) => `- \`${row.name}\`: ${row.promise}.`);
  const invariants = Object.entries(INVARIANTS).map(([name, words]) => `- ${name}: ${words}.`);
  const text = `# What happens when something fails?

Nothing is lost, and nothing is stored or credited twice. \`npm run faults\` breaks the built app and its Postgres on purpose, and checks the
ledger's invariants during and after the faults, each time in one snapshot. Run one row with \`npm run faults -- kill-app\`, repeat a
run with \`--seed\`, or do a short run with \`--short\`. Each line is the last full run of its row; "at" is its commit and date.

${tableOf(null)}

"Worst recovery" is the longest time from the return of a process, database or link to the first success. "Slowest answer" is the longest
that any request waited, by the app's own clock, minus the time in which a busy machine gave the app no CPU. When a request gets no answer
because its process was killed, the client sends it again under its ID. Measured on ${machine()}.

## What each row promises

${promises.join("\n")}

## The invariants

All are checked in one snapshot; I6 once, after the faults.

${invariants.join("\n")}

## Several instances

\`npm run faults -- --short --shape cluster\` runs two instances behind nginx (\`deploy/nginx.conf\`) and a third finalizer on one Postgres. App
faults hit one of the two instances. \`--shape pooled\` adds PgBouncer in transaction mode in front of Postgres.

${tableOf("cluster")}
${rowsOf("pooled").map(lineOf("pooled")).join("\n")}

Not run in either shape: ${reasonsOf("cluster")}. Not run in "pooled": ${reasonsOf("pooled")}.

${writtenBeside(before.join("\n"))}`;
  writeFileSync(FILE, text);
}

/** Keeps the hand-written section below the rows. */
function writtenBeside(report: string): string {
  const start = report.indexOf(BESIDE);
  return start < 0 ? "" : report.slice(start);
}

const nameIn = (shape: Shape | null, { name }: FaultRow) => (shape ? `${name}, ${shape}` : name);

/** A shape's rows are those of the first table, so their fault is not repeated. */
const lineIn = (shape: Shape | null, [name, fault, ...cells]: string[]) =>
  `| ${[name, ...(shape ? [] : [fault]), ...cells].join(" | ")} |`;

const reasonsOf = (shape: Shape) =>
  Object.entries(NOT_IN_SHAPE[shape])
    .map(([name, reason]) => `\`${name}\` (${reason})`)
    .join("; ");

function lineOfResult(result: RowResult): string {
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
  const at = `${git("rev-parse", "--short", "HEAD")}, ${new Date().toISOString().slice(0, 10)}`;
  const [, ...cells] = cellsOf(result);
  return lineIn(result.shape, [nameIn(result.shape, result.row), ...cells, at]);
}

function machine(): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} × ${processors[0]?.model.trim() || "unnamed processor"}, ${gigabytes} GB, ${systemName()}, Node ${process.versions.node}, Postgres 18 (embedded)`;
}
