import { POINT_TYPES, type PointType, TYPE_LABELS } from "@/terms/batch-terms";
import type { TableRow } from "./decode-file";
import type { Columns } from "./rank-columns";

/** What a column is called that may also say points and gold, which are other words too. */
const TYPE_NAMES = /^(?:points?[ _]?)?type$|^currency$/i;

export type TypeColumn = ReturnType<typeof findTypeColumn>;

/** The column whose every filled cell names a point type. Null if there is none. */
export function findTypeColumn(rows: readonly TableRow[], { header, names }: Columns) {
  for (const column of names.keys()) {
    const isShort = header && TYPE_NAMES.test(names[column]!);
    const typeOf = ({ cells }: TableRow): PointType | null => {
      const name = (cells[column] ?? "").toUpperCase();
      return POINT_TYPES.find((type) => type === name || (isShort && type === `PHASE2_${name}`)) ?? null;
    };
    const isOdd = (row: TableRow) => Boolean(row.cells[column]) && typeOf(row) === null;
    const types = new Set(rows.some(isOdd) ? [] : rows.map(typeOf).filter((type) => type !== null));
    if (types.size === 0) continue;
    /** Null if the rows have several. */
    const only = types.size === 1 ? [...types][0]! : null;
    /** Why a row of the other type is not paid; null for one that is. */
    const refusalOf = (row: TableRow, wanted: PointType) => {
      const type = typeOf(row);
      if (type === null || type === wanted) return null;
      const payment = `and the payment of ${TYPE_LABELS[wanted]}`;
      return only
        ? `The file is of ${TYPE_LABELS[only]}, ${payment}. Choose ${TYPE_LABELS[only]}, or another file.`
        : `This row is of ${TYPE_LABELS[type]}, ${payment}. Pay it in a file of its own.`;
    };
    return { column, only, refusalOf };
  }
  return null;
}
