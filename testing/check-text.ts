import { checkRows } from "@/terms/file/check-rows";
import { type CheckedRows, type CheckOptions, type Treatment, UNTREATED } from "@/terms/file/checked";
import type { Table } from "@/terms/file/decode-file";
import { type ColumnMap, findColumns } from "@/terms/file/rank-columns";
import { readTable } from "@/terms/file/read-table";
import { LIMITS, wallet } from "./factories";

export const RULES = { contractAddress: wallet(0xc0), pointType: "PHASE2_POINTS", limits: LIMITS } as const;
type Options = Partial<Omit<CheckOptions, "columns" | "treatment">> & { treatment?: Partial<Treatment> };

/** Reads and checks a text in one go, by `RULES`. @throws Error when its columns cannot be detected */
export const checkText = (text: string, given?: Options) => checkTable(readTable(text), given);

/** All but the note that names the columns, which every result has. */
export const otherNotes = ({ notes }: CheckedRows): string[] => {
  const [first, ...others] = notes;
  if (!/^Addresses from .+, amounts from .+\.$/.test(first ?? ""))
    throw new Error("does not say what was read");
  return others;
};

export function checkTable(table: Table, given: Options = {}, map?: ColumnMap): CheckedRows {
  const columns = findColumns(table);
  const { toAddress, points, reference } = map ?? columns.map;
  if (toAddress === null || points === null) throw new Error("could not detect the columns");
  const checking = checkRows(table, {
    ...RULES,
    ...given,
    treatment: { ...UNTREATED, ...given.treatment },
    columns: { ...columns, map: { toAddress, points, reference } },
  });
  let step = checking.next();
  while (!step.done) step = checking.next();
  return step.value;
}
