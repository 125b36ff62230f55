import { csvLine } from "../../../../data/csv";
import type { Checked } from "./checked";
import type { Columns } from "./map-columns";
import type { Table } from "./table";

/** Only the rows with errors, unchanged, each with its line number and every reason. */
export function badRowsCsv(table: Table, columns: Columns, { errors }: Checked): string {
  const reasons = new Map<number, string[]>();
  for (const { line, column, message } of errors) {
    const known = reasons.get(line) ?? [];
    known.push(column ? `${column}: ${message}` : message);
    reasons.set(line, known);
  }
  let text = csvLine([...columns.names, "line", "reason"]);
  for (const { line, cells } of table.rows) {
    const why = reasons.get(line);
    if (!why) continue;
    const padded = columns.names.map((_, column) => cells[column] ?? "");
    text += csvLine([...padded, ...cells.slice(columns.names.length), String(line), why.join(" ")]);
  }
  return text;
}
