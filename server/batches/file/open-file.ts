import { transferRows } from "./check-rows";
import type { Loaded } from "./checked";
import { decodeFile, FILE_BYTES_MAX, FileProblem, isArchive, type Table } from "./decode-file";
import { findColumns } from "./map-columns";
import { readOwnFile } from "./own-files";
import { readTable } from "./read-table";
import type { Workbook } from "./read-workbook";

/** The code that reads workbooks is loaded with the first one. @throws FileProblem */
export async function readContent(file: Pick<Blob, "size" | "arrayBuffer">): Promise<string | Workbook> {
  if (file.size > FILE_BYTES_MAX) {
    throw new FileProblem(
      `The file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB. Split it into smaller files.`,
    );
  }
  const bytes = await file.arrayBuffer();
  if (!isArchive(bytes)) return decodeFile(bytes);
  const { openWorkbook } = await import("./read-workbook");
  return openWorkbook(new Uint8Array(bytes));
}

/** How the file is read. What is absent is detected. */
interface Reading {
  name: string;
  header?: boolean;
  sheet?: number;
}

/** @throws FileProblem */
export function openFile(
  content: string | Workbook,
  { name, header, sheet }: Reading,
): { table: Table; loaded: Loaded } {
  const { table, workbook } =
    typeof content === "string" ? { table: readTable(content), workbook: null } : readSheet(content, sheet);
  const columns = findColumns(table, header);
  const rowCount = transferRows(table, columns).length;
  // With several sheets, the user may have chosen the wrong one.
  if (rowCount === 0 && !(workbook && workbook.sheets.length > 1))
    throw new FileProblem("No rows found. Add at least one row.");
  return { table, loaded: { name, rowCount, columns, workbook } };
}

/** Which of several sheets is meant is never guessed: until the user chooses one, there are no rows. */
function readSheet({ sheets, read }: Workbook, given: number | undefined) {
  const visible = sheets.flatMap(({ isHidden }, index) => (isHidden ? [] : [index]));
  const sheet = given ?? (visible.length === 1 ? visible[0]! : null);
  const table: Table = sheet === null ? { rows: [], delimiter: null } : readOwnFile(read(sheet));
  return { table, workbook: { sheets, sheet } };
}
