import { transferRows } from "./check-rows";
import type { LoadedFile } from "./checked";
import { decodeFile, FILE_BYTES_MAX, FileProblem, isArchive, type Table } from "./decode-file";
import { readOwnFile } from "./own-files";
import { findColumns } from "./rank-columns";
import { readTable } from "./read-table";
import type { SheetName, Workbook } from "./read-workbook";
import { findTypeColumn } from "./type-column";

/** The code that reads workbooks is loaded with the first one. @throws FileProblem */
export async function readContent(file: Pick<Blob, "size" | "arrayBuffer">): Promise<string | Workbook> {
  if (file.size > FILE_BYTES_MAX)
    throw new FileProblem(`The file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB. Split it.`);
  const bytes = await file.arrayBuffer();
  if (!isArchive(bytes)) return decodeFile(bytes);
  const { openWorkbook } = await import("./read-workbook");
  return openWorkbook(new Uint8Array(bytes));
}

/** Detects what is not given. @throws FileProblem */
export function openFile(
  content: string | Workbook,
  { name, header, sheet }: { name: string; header?: boolean; sheet?: number },
): { table: Table; loaded: LoadedFile } {
  const { table, workbook } =
    typeof content === "string" ? { table: readTable(content), workbook: null } : readSheet(content, sheet);
  const columns = findColumns(table, header);
  const rows = transferRows(table, columns);
  const rowCount = rows.length;
  // With several sheets, the user may have chosen the wrong one.
  if ((rowCount === 0 || columns.names.length === 0) && !(workbook && workbook.sheets.length > 1))
    throw new FileProblem("No rows found. Add at least one row.");
  const pointType = findTypeColumn(rows, columns)?.only ?? null;
  return { table, loaded: { name, rowCount, columns, pointType, workbook } };
}

/** Which of several sheets is meant is never guessed: until the user chooses one, there are no rows. */
function readSheet(workbook: Workbook, given: number | undefined) {
  const sheet = given ?? findOnlySheet(workbook);
  const table: Table = sheet === null ? { rows: [], delimiter: null } : readOwnFile(workbook.read(sheet));
  return { table, workbook: { sheets: workbook.sheets, sheet } };
}

/** With more sheets, the user chooses. */
const SHEETS_LOOKED_AT = 100;

/** The only one that is shown and has cells. */
function findOnlySheet({ sheets, isEmpty }: Workbook): number | null {
  if (sheets.length === 1) return 0;
  if (sheets.length > SHEETS_LOOKED_AT) return null;
  const isUsed = ({ isHidden }: SheetName, sheet: number) => !isHidden && !isEmpty(sheet);
  const only = sheets.findIndex(isUsed);
  return only === -1 || sheets.some((of, sheet) => sheet > only && isUsed(of, sheet)) ? null : only;
}
