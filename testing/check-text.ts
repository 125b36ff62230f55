import { checkRows } from "@/terms/file/check-rows";
import { type CheckedRows, type CheckOptions, type Treatment, UNTREATED } from "@/terms/file/checked";
import type { Table } from "@/terms/file/decode-file";
import { type ColumnMap, findColumns } from "@/terms/file/rank-columns";
import { readTable } from "@/terms/file/read-table";

type Options = Omit<CheckOptions, "columns" | "treatment"> & { treatment?: Partial<Treatment> };

/** Reads and checks a text in one go. @throws Error when its columns cannot be detected */
export const checkText = (text: string, given: Options, header?: boolean): CheckedRows =>
  checkTable(readTable(text), given, { header });

/** All but the note that names the columns, which every result has. */
export const otherNotes = ({ notes }: CheckedRows): string[] => {
  const [first, ...others] = notes;
  if (!/^Addresses from .+, amounts from .+\.$/.test(first ?? ""))
    throw new Error("does not say what was read");
  return others;
};

export function checkTable(
  table: Table,
  given: Options,
  { header, map }: { header?: boolean | undefined; map?: ColumnMap } = {},
): CheckedRows {
  const columns = findColumns(table, header);
  const { toAddress, points, reference } = map ?? columns.map;
  if (toAddress === null || points === null) throw new Error("could not detect the columns");
  const checking = checkRows(table, {
    ...given,
    treatment: { ...UNTREATED, ...given.treatment },
    columns: { ...columns, map: { toAddress, points, reference } },
  });
  let step = checking.next();
  while (!step.done) step = checking.next();
  return step.value;
}
