import type { Table, TableRow } from "./decode-file";
import { possibleAmounts } from "./number-format";
import {
  amountGrade,
  cellCountOf,
  INDEX_ROWS_MIN,
  isNumber,
  type KnownColumns,
  type KnownMap,
  looksLikeAddress,
} from "./rank-columns";
import { bareAmount } from "./row-errors";

/** Rows whose amount the file's own separator may have cut, in both readings. */
export interface Doubt {
  /** Each cell is a value of its own. Cells beyond the columns are left out. */
  apart: TableRow[];
  /** Cells that can be parts of one amount are joined; null when there are none. */
  joined: TableRow[] | null;
  /** Which rows differ, by their place, and the text of each. */
  texts: Map<number, string>;
  /** Whether joined is the likely reading: no heading names the cells, or they are more than it names. */
  isJoinedLikely: boolean;
}

/**
 * Finds amounts such as `1,000` without quotes, which are two cells: the first alone would be a plausible
 * wrong amount. A number next to the amount and more cells than columns raise the doubt. A quoted number does
 * not, nor does a value of its own.
 */
export function findDoubt(
  rows: readonly TableRow[],
  { delimiter, rows: [head] }: Table,
  { header, names, map }: KnownColumns,
): Doubt | null {
  // No other separator is also in amounts.
  if (delimiter !== "," && delimiter !== " ") return null;
  const width = delimiter === " " ? Math.max(2, map.toAddress + 1, map.points + 1) : names.length;
  const headCount = header && delimiter === "," ? cellCountOf(head!) : null;
  let own: Set<number> | undefined;
  const apart = [...rows];
  const joined = [...rows];
  const texts: Doubt["texts"] = new Map();
  let hasJoined = false;
  let isJoinedLikely = false;
  for (const [place, row] of rows.entries()) {
    const { cells } = row;
    const isPart = (column: number) => {
      const cell = cells[column] ?? "";
      return !row.quoted?.includes(column) && (PART.test(cell) || PART.test(bareAmount(cell)));
    };
    let range = isPart(map.points) ? partsOf(cells, map, delimiter, isPart) : null;
    // With as many cells as there are columns, some may be values of their own.
    if (range !== null && (headCount === null ? cells.length <= width : cellCountOf(row) === headCount)) {
      own ??= ownColumns(rows, headCount === null ? null : head!.cells, map);
      range = partsOf(cells, map, delimiter, (column) => isPart(column) && !own?.has(column));
    }
    if (range === null && cells.length <= width) continue;
    apart[place] = { ...row, cells: cells.slice(0, width) };
    if (range) joined[place] = { ...row, cells: join(cells, range, map, delimiter) };
    hasJoined ||= range !== null;
    isJoinedLikely ||= headCount === null || cellCountOf(row) > headCount;
    texts.set(place, cells.slice(...(range ?? [width])).join(delimiter));
  }
  return texts.size === 0 ? null : { apart, joined: hasJoined ? joined : null, texts, isJoinedLikely };
}

/** What people write where there is no number. */
const NOTHING = /^[-–—]*$/;

/** Columns whose cells are values of their own: as their names say, since all are numbers, or as an index. */
function ownColumns(
  rows: readonly TableRow[],
  names: readonly string[] | null,
  { points }: KnownMap,
): Set<number> {
  const width = names?.length ?? rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isOwn = (column: number) => {
    if (!names?.[column])
      return isIndex(rows, column, points) || (!names && areApart(rows, Math.min(column, points)));
    const hasNumbers = rows.every(
      ({ cells: { [column]: cell = "" } }) => NOTHING.test(cell) || isNumber(cell),
    );
    return hasNumbers || namesOther(names[column]);
  };
  const own = new Set(Array.from({ length: width }, (_, column) => column).filter(isOwn));
  // Whatever their names say, three digits each time, right of a short amount, are its thousands.
  for (let column = points + 1; column < width && areThousands(rows, points, column); column++)
    own.delete(column);
  return own;
}

/** Counts the rows. In a few, parts of short amounts may do so by chance, such as `1,200` above `2,500`. */
function isIndex(rows: readonly TableRow[], column: number, points: number): boolean {
  const start = Number(rows[0]?.cells[column]);
  if (!rows.every(({ cells }, at) => cells[column] === String(start + at))) return false;
  const isLong = rows.some(({ cells }) => /^\d{4}/.test(cells[points] ?? ""));
  return rows.length >= INDEX_ROWS_MIN || (isLong && rows.length > 2);
}

/** Most cells, such as `3.5`, cannot continue in the one right of them, so none does. */
function areApart(rows: readonly TableRow[], column: number): boolean {
  const pairs = rows.map(({ cells }) => [cells[column] ?? "", cells[column + 1] ?? ""]);
  const beside = pairs.filter((pair) => pair.every((cell) => PART.test(cell)));
  return beside.filter((pair) => possibleAmounts(pair.join(",")).size > 0).length * 2 < beside.length;
}

const namesOther = (name: string) => /reference/i.test(name) || amountGrade(name) === 0;

function areThousands(rows: readonly TableRow[], points: number, column: number): boolean {
  let count = 0;
  for (const { cells, quoted } of rows) {
    if (!cells[column]) continue;
    if (quoted?.includes(column) || !/^\d{3}(?:\.\d+)?$/.test(cells[column])) return false;
    if (!/^[1-9]\d{0,2}$/.test(cells[points] ?? "")) return false;
    count++;
  }
  return count > 0;
}

type Range = [from: number, to: number];

const PART = /^\d[\d.]*$/;
/** Of an amount of 38 digits. More numbers in a row are no amount. */
const PARTS_MAX = 16;

/** From and to: the widest range of cells that is one amount when joined; null when there is none. */
function partsOf(
  cells: readonly string[],
  { points }: KnownMap,
  delimiter: string,
  isPart: (column: number) => boolean,
): Range | null {
  let start = points;
  let end = points + 1;
  while (start > points - PARTS_MAX && isPart(start - 1)) start--;
  while (end < points + PARTS_MAX && isPart(end)) end++;
  for (let from = points; from >= start; from--)
    for (let to = end; to > points; to--)
      if (to - from > 1 && possibleAmounts(joinedText(cells, [from, to], delimiter)).size > 0)
        return [from, to];
  return null;
}

const joinedText = (cells: readonly string[], range: Range, delimiter: string) =>
  cells
    .slice(...range)
    .map(bareAmount)
    .join(delimiter);

function join(
  cells: readonly string[],
  [from, to]: Range,
  { toAddress, points }: KnownMap,
  delimiter: string,
): string[] {
  const text = joinedText(cells, [from, to], delimiter);
  const closed = [...cells.slice(0, from), text, ...cells.slice(to)];
  const fits = from === points && (toAddress < from || looksLikeAddress(closed[toAddress] ?? ""));
  if (fits) return closed;
  // The other columns stay where they are.
  return cells.map((cell, column) => (column === points ? text : column >= from && column < to ? "" : cell));
}
