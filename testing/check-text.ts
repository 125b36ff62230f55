import { type Checked, type CheckOptions, checkRows } from "@/app/(console)/batches/new/csv/check-rows";
import { findColumns } from "@/app/(console)/batches/new/csv/map-columns";
import { readTable } from "@/app/(console)/batches/new/csv/read-table";

/** Reads and checks a text in one go. @throws Error when its columns cannot be detected */
export function checkText(text: string, options: Omit<CheckOptions, "columns">, header?: boolean): Checked {
  const table = readTable(text);
  const columns = findColumns(table, header);
  const { toAddress, points } = columns.map;
  if (toAddress === null || points === null) throw new Error("could not detect the columns");
  const check = checkRows(table, { ...options, columns: { ...columns, map: { toAddress, points } } });
  for (let step = check.next(); ; step = check.next()) if (step.done) return step.value;
}
