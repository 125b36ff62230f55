import { type Command, InvalidArgumentError } from "commander";
import { type Distribution, distributeTables, type TableDone } from "../distribution/distribute-tables";
import { action } from "./output";
import { withOwnedDatabase } from "./session";

/** Copying a large table is one statement. */
const DISTRIBUTE_SECONDS_MAX = 86_400;
const SHARDS_MAX = 1024;

/** `distribute`: the tables over several machines, with Citus. */
export function addDistributeCommand(program: Command): void {
  program
    .command("distribute")
    .description(
      "move the tables, with what they hold, to the workers of a Citus cluster; stop the service first",
    )
    .option(
      "--shards <number>",
      "shards of each table, chosen once (default: 4 a worker, at least 8)",
      shardCount,
    )
    .option("--yes", "go ahead although other sessions are connected to the database")
    .action(action(distribute));
}

function shardCount(value: string): number {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > SHARDS_MAX)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${SHARDS_MAX}`);
  return count;
}

async function distribute({ shards, yes }: { shards?: number; yes?: true }) {
  const options = { ...(shards && { shards }), requireAlone: !yes, onTable: showProgress };
  const done = await withOwnedDatabase((db) => distributeTables(db, options), DISTRIBUTE_SECONDS_MAX);
  return { text: reportOf(done), json: done };
}

/** For a person who waits; a program reads the result. */
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
    lines.push(`An administrator must run on the coordinator: ${forAdministrator.join("; ")};`);
  const isNew = tables.some(({ seconds }) => seconds !== null);
  lines.push(
    isNew ? "Start the service again; no setting of its own changes." : "Every table was in place already.",
  );
  return lines.join("\n");
}

function tableLine({ table, by, seconds }: TableDone): string {
  const how = by === null ? "stays whole, commits with the shards" : `by ${by}`;
  const time = seconds === null ? "as before" : `${seconds.toFixed(2)} s`;
  return `  ${table.padEnd(27)} ${how.padEnd(37)} ${time}`;
}
