import { withoutGuards } from "@/terms/csv-text";
import { FileProblem, type Table } from "./decode-file";

/** Names of columns that only the service's own files have together. */
const TRANSFERS = ["to_address", "points", "batch_id"];
const BATCHES = [
  ["batch_id", "transfers"],
  ["batchId", "digest"],
];
const BAD_ROWS = ["line", "reason"];

/** Where an export names the batch of each row; -1 for a column it does not have. Null for other files. */
export function ownColumns({ rows }: Table) {
  const names = rows[0]?.cells ?? [];
  if (!TRANSFERS.every((name) => names.includes(name))) return null;
  return {
    batchId: names.indexOf("batch_id"),
    contractAddress: names.indexOf("contract_address"),
    status: names.indexOf("status"),
    counted: names.indexOf("counted"),
  };
}

/**
 * Takes away the apostrophes that keep spreadsheets from running a cell of an export, or of rows with errors,
 * so that a reference is the one that was exported. Another program's apostrophes stay.
 * @throws FileProblem for a file that lists batches
 */
export function readOwnFile(table: Table): Table {
  const names = table.rows[0]?.cells ?? [];
  const isTransfers = ownColumns(table) !== null;
  if (!isTransfers && BATCHES.some((wanted) => wanted.every((name) => names.includes(name))))
    throw new FileProblem("The file lists batches, as a payout's report does. Choose the recipients' list.");
  if (table.isExact || !(isTransfers || String(names.slice(-2)) === String(BAD_ROWS))) return table;
  // As the API writes them, amounts have one reading. A spreadsheet with another separator may rewrite them.
  const numbers = isTransfers && table.delimiter === "," ? { numbers: [names.indexOf("points")] } : {};
  // A line's number is no part of the amount before it.
  const added = isTransfers ? [] : BAD_ROWS.map((name) => names.lastIndexOf(name));
  const rows = table.rows.map((row) => {
    const quoted = [...(row.quoted ?? []), ...added];
    return { ...row, cells: row.cells.map(withoutGuards), ...(quoted.length > 0 && { quoted }), ...numbers };
  });
  return { ...table, rows, ...(isTransfers && { isExact: true }) };
}
