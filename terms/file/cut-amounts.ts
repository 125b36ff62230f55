import type { Table, TableRow } from "./decode-file";
import { possibleAmounts } from "./number-format";
import { amountGrade, cellCountOf, isNumber, type KnownColumns } from "./rank-columns";
import { bareAmount } from "./row-errors";

/**
 * Finds amounts such as `1,000` without quotes, which are two cells: the first alone would be a plausible
 * wrong amount. A number next to the amount and more cells than columns raise the doubt. A quoted number does
 * not, nor does a value of its own.
 */
export function findCuts(
  given: readonly TableRow[],
  { delimiter, rows: [head] }: Table,
  { header, names, map }: KnownColumns,
) {
  /** Rows whose amount may be cut, by their place, with the text of its cells. */
  const cut = new Map<number, string>();
  /** The cells that were left out, of each row. */
  const beyond: string[] = [];
  // No other separator is also in amounts.
  if (delimiter !== "," && delimiter !== " ") return { rows: given, cut, beyond };
  const width = delimiter === " " ? Math.max(2, map.toAddress + 1, map.points + 1) : names.length;
  const headCount = header && delimiter === "," ? cellCountOf(head!) : null;
  let own: Set<number> | undefined;
  /** Without cells beyond the columns that are parts of no amount. */
  const rows = given.map((row, place) => {
    const { cells } = row;
    const isPart = (column: number) => {
      const cell = cells[column] ?? "";
      if (row.quoted?.includes(column) || !(PART.test(cell) || PART.test(bareAmount(cell)))) return false;
      if (column === map.points || cellCountOf(row) !== headCount) return true;
      // With as many cells as the heading, some may be values of their own.
      own ??= ownColumns(given, head!.cells, map.points);
      return !own.has(column);
    };
    const text = isPart(map.points) ? cutText(map.points, cells, delimiter, isPart) : null;
    if (text !== null) cut.set(place, text);
    if (text !== null || cells.length <= width) return row;
    beyond.push(cells.slice(width).join(delimiter));
    return { ...row, cells: cells.slice(0, width) };
  });
  return { rows, cut, beyond };
}

/** What people write where there is no number. */
const NOTHING = /^[-–—]*$/;

/** Columns whose cells are values of their own, as their names say, since all are numbers. */
function ownColumns(rows: readonly TableRow[], names: readonly string[], points: number): Set<number> {
  const isOwn = (column: number) => {
    const name = names[column];
    if (!name) return false;
    const isFree = ({ cells }: TableRow) => NOTHING.test(cells[column] ?? "") || isNumber(cells[column]!);
    return rows.every(isFree) || /reference/i.test(name) || amountGrade(name) === 0;
  };
  const own = new Set([...names.keys()].filter(isOwn));
  // Whatever their names say, three digits each time, right of a short amount, are its thousands.
  for (let column = points + 1; areThousands(rows, points, column); column++) own.delete(column);
  return own;
}

function areThousands(rows: readonly TableRow[], points: number, column: number): boolean {
  const filled = rows.filter(({ cells }) => cells[column]);
  const isRest = ({ cells, quoted }: TableRow) =>
    !quoted?.includes(column) &&
    /^\d{3}(?:\.\d+)?$/.test(cells[column]!) &&
    /^[1-9]\d{0,2}$/.test(cells[points] ?? "");
  return filled.length > 0 && filled.every(isRest);
}

const PART = /^\d[\d.]*$/;
/** Of an amount of 38 digits. More numbers in a row are no amount. */
const PARTS_MAX = 16;

/** The most cells that are one amount when joined; null when there are none. */
function cutText(
  points: number,
  cells: readonly string[],
  delimiter: string,
  isPart: (column: number) => boolean,
): string | null {
  let start = points;
  let end = points + 1;
  while (start > points - PARTS_MAX && isPart(start - 1)) start--;
  while (end < points + PARTS_MAX && isPart(end)) end++;
  for (let from = points; from >= start; from--)
    for (let to = end; to > points && to - from > 1; to--) {
      const text = cells.slice(from, to).map(bareAmount).join(delimiter);
      if (possibleAmounts(text).size > 0) return text;
    }
  return null;
}
