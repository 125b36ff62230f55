import { checkRows } from "@/app/(console)/batches/new/csv/check-rows";
import {
  type CheckedRows,
  type CheckOptions,
  type Treatment,
  UNTREATED,
} from "@/app/(console)/batches/new/csv/checked";
import type { Table } from "@/app/(console)/batches/new/csv/decode-file";
import { findColumns } from "@/app/(console)/batches/new/csv/map-columns";
import { readTable } from "@/app/(console)/batches/new/csv/read-table";

type Options = Omit<CheckOptions, "columns" | "treatment"> & { treatment?: Partial<Treatment> };

/** Reads and checks a text in one go. @throws Error when its columns cannot be detected */
export const checkText = (text: string, given: Options, header?: boolean): CheckedRows =>
  checkTable(readTable(text), given, header);

export function checkTable(table: Table, given: Options, header?: boolean): CheckedRows {
  const columns = findColumns(table, header);
  const { toAddress, points } = columns.map;
  if (toAddress === null || points === null) throw new Error("could not detect the columns");
  const checking = checkRows(table, {
    ...given,
    treatment: { ...UNTREATED, ...given.treatment },
    columns: { ...columns, map: { toAddress, points } },
  });
  let step = checking.next();
  while (!step.done) step = checking.next();
  return step.value;
}
