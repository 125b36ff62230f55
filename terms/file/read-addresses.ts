import { addressError } from "@/terms/address-text";
import { transferRows } from "./check-rows";
import type { FileError } from "./checked";
import { FileProblem } from "./decode-file";
import { openFile } from "./open-file";
import { addressGrade, isNamed } from "./rank-columns";
import type { Workbook } from "./read-workbook";
import { ERROR_MESSAGES, fixAddress, fixMessage } from "./row-errors";

export type AddressError = Pick<FileError, "line" | "value" | "message">;

/**
 * Reads the addresses of a list, or of the column of addresses in a table, in its order, and every row that
 * is none. Nothing is skipped silently: a first line counts as a heading only if its name says so.
 * @throws FileProblem
 */
export function readAddresses(content: string | Workbook, name: string) {
  const found = openFile(content, { name });
  const hasHeading = found.loaded.columns.names.some((name) => isNamed(addressGrade(name)));
  const { table, loaded } = hasHeading ? found : openFile(content, { name, header: false });
  const { columns, workbook } = loaded;
  if (workbook?.sheet === null)
    throw new FileProblem("The workbook has several sheets. Save the one with the addresses as CSV.");
  const column = columns.names.length === 1 ? 0 : columns.map.toAddress;
  if (column === null)
    throw new FileProblem("The column with the addresses is not clear. Give a list of one address per line.");
  const rows = transferRows(table, columns);
  const addresses: string[] = [];
  const errors: AddressError[] = [];
  if (table.titles?.length)
    errors.push({ line: 1, value: "", message: "The text above the table is not an address. Remove it." });
  if (table.doubts?.length) errors.push({ line: 1, value: "", message: "This is not the whole list." });
  for (const { line, cells } of rows) {
    const value = cells[column] ?? "";
    const message = cells.length > columns.names.length ? ONE_PER_LINE : problemOf(value);
    if (message) errors.push({ line, value, message });
    else addresses.push(value);
  }
  return { rowCount: rows.length, addresses, errors };
}

const ONE_PER_LINE = "More values than in the first line. Put one address on each line.";

function problemOf(value: string): string | null {
  const error = value === "" ? "required" : addressError(value);
  if (error === null) return null;
  const fix = fixAddress(value);
  const facts = { field: "toAddress", value, least: "", pointType: "", firstLine: 0 } as const;
  return fix ? fixMessage(fix) : ERROR_MESSAGES[error](facts);
}
