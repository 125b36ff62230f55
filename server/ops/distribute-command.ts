import type { Command } from "commander";
import { type Distribution, distributeTables, type PlacedTable } from "../distribution/distribute-tables";
import * as argument from "./arguments";
import { action } from "./output";
import { withOwnedDatabase } from "./session";

/** A large table is copied in one statement. */
const DISTRIBUTE_SECONDS_MAX = 86_400;
const SHARDS_MAX = 1024;

/** `distribute`: spreads the tables over the workers of a Citus cluster. */
export function addDistributeCommand(program: Command): void {
  program
    .command("distribute")
    .description("move the tables and their rows to the workers of a Citus cluster; stop the service first")
    .option(
      "--shards <number>",
      "shards per table; cannot be changed later (default: 4 per worker, at least 8)",
      argument.wholeNumber(1, SHARDS_MAX),
    )
    .option("--yes", "continue even if other sessions are connected to the database")
    .action(action(distribute));
}

async function distribute({ shards, yes }: { shards?: number; yes?: true }) {
  const options = { ...(shards && { shards }), requireAlone: !yes, onTable: showProgress };
  const done = await withOwnedDatabase((db) => distributeTables(db, options), DISTRIBUTE_SECONDS_MAX);
  return { text: reportOf(done), json: done };
}

/** Progress is for people. Programs read the JSON result. */
function showProgress(table: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${table} …\n`);
}

function reportOf({ workers, shards, tables, settings, forAdministrator }: Distribution): string {
  const lines = [
    `${workers.length} workers (${workers.join(", ")}) hold ${shards} shards of each distributed table.`,
    ...tables.map(tableLine),
    ...settings.map((setting) => `  ${setting}`),
  ];
  if (forAdministrator.length > 0)
    lines.push(`As an administrator, run this on the coordinator: ${forAdministrator.join("; ")};`);
  const isNew = tables.some(({ seconds }) => seconds !== null);
  lines.push(
    isNew ? "Start the service again. Its settings stay the same." : "Every table was already in place.",
  );
  return lines.join("\n");
}

function tableLine({ table, by, seconds }: PlacedTable): string {
  const how = by === null ? "not distributed, commits with the shards" : `by ${by}`;
  const time = seconds === null ? "unchanged" : `${seconds.toFixed(2)} s`;
  return `  ${table.padEnd(27)} ${how.padEnd(37)} ${time}`;
}
