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
  const together = [...rows];
  const texts: Doubt["texts"] = new Map();
  let hasJoined = false;
  let isJoinedLikely = false;
  for (const [place, row] of rows.entries()) {
    const { cells } = row;
    const isPart = (column: number) => {
      const cell = cells[column] ?? "";
      return !row.quoted?.includes(column) && (PART.test(cell) || PART.test(bareAmount(cell)));
    };
    let cut = isPart(map.points) ? cutAt(map.points, cells, delimiter, isPart) : null;
    // With as many cells as there are columns, some may be values of their own.
    if (cut !== null && (headCount === null ? cells.length <= width : cellCountOf(row) === headCount)) {
      own ??= ownColumns(rows, headCount === null ? null : head!.cells, map.points);
      cut = cutAt(map.points, cells, delimiter, (column) => isPart(column) && !own?.has(column));
    }
    if (cut === null && cells.length <= width) continue;
    apart[place] = { ...row, cells: cells.slice(0, width) };
    if (cut) together[place] = { ...row, cells: joined(cells, cut, map) };
    hasJoined ||= cut !== null;
    isJoinedLikely ||= headCount === null || cellCountOf(row) > headCount;
    texts.set(place, (cut ? cells.slice(cut.from, cut.to) : cells.slice(width)).join(delimiter));
  }
  return texts.size === 0 ? null : { apart, joined: hasJoined ? together : null, texts, isJoinedLikely };
}

/** What people write where there is no number. */
const NOTHING = /^[-–—]*$/;

/** Columns whose cells are values of their own: as their names say, since all are numbers, or as an index. */
function ownColumns(rows: readonly TableRow[], names: readonly string[] | null, points: number): Set<number> {
  const width = names?.length ?? rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isOwn = (column: number) => {
    if (!names?.[column])
      return isIndex(rows, column, points) || (!names && areApart(rows, Math.min(column, points)));
    const isFree = ({ cells }: TableRow) => NOTHING.test(cells[column] ?? "") || isNumber(cells[column]!);
    return rows.every(isFree) || /reference/i.test(names[column]) || amountGrade(names[column]) === 0;
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

/** Cells that are one amount when joined. */
interface Cut {
  from: number;
  to: number;
  text: string;
}

/** The widest one; null when there is none. */
function cutAt(
  points: number,
  cells: readonly string[],
  delimiter: string,
  isPart: (column: number) => boolean,
) {
  let start = points;
  let end = points + 1;
  while (start > points - PARTS_MAX && isPart(start - 1)) start--;
  while (end < points + PARTS_MAX && isPart(end)) end++;
  for (let from = points; from >= start; from--)
    for (let to = end; to > points && to - from > 1; to--) {
      const text = cells.slice(from, to).map(bareAmount).join(delimiter);
      if (possibleAmounts(text).size > 0) return { from, to, text };
    }
  return null;
}

function joined(
  cells: readonly string[],
  { from, to, text }: Cut,
  { toAddress, points }: KnownMap,
): string[] {
  const closed = [...cells.slice(0, from), text, ...cells.slice(to)];
  const fits = from === points && (toAddress < from || looksLikeAddress(closed[toAddress] ?? ""));
  if (fits) return closed;
  // The other columns stay where they are.
  return cells.map((cell, column) => (column === points ? text : column >= from && column < to ? "" : cell));
}
