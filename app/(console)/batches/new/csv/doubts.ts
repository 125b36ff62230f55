import type { Table, TableRow } from "./decode-file";
import { bareAmount } from "./fixes";
import { type Columns, looksLikeAddress } from "./map-columns";
import { possibleAmounts } from "./number-format";

/** Rows whose amount the file's own separator may have split, in both readings. */
export interface Doubt {
  /** Each cell is a value of its own. Cells beyond the columns are left out. */
  apart: TableRow[];
  /** Cells that can be parts of one amount are joined; null when there are none. */
  joined: TableRow[] | null;
  /** Which rows differ, by their place, and the text of each. */
  texts: Map<number, string>;
}

type Known = Columns & { map: { toAddress: number; points: number } };

/**
 * Finds amounts such as `1,000` without quotes, which are two cells: the first alone would be a plausible wrong amount.
 * A number next to the amount, more cells than columns and a second separator on the first line all raise the doubt.
 */
export function findDoubt(
  rows: readonly TableRow[],
  { delimiter, hasOtherCommas }: Table,
  { names, map }: Known,
): Doubt | null {
  // A cell of a workbook or of JSON cannot be split by accident.
  if (delimiter === null) return null;
  const width = delimiter === " " ? Math.max(2, map.toAddress + 1, map.points + 1) : names.length;
  const texts = new Map<number, string>();
  let isJoined = false;
  const apart: TableRow[] = [];
  const joined = rows.map((row, place) => {
    const { cells } = row;
    const amount = cells[map.points] ?? "";
    const [from, to] = delimiter === "," || delimiter === " " ? partsOf(cells, map, delimiter) : [0, 0];
    const [first = "", ...rest] = amount.split(",");
    const isTwo =
      hasOtherCommas === true && rest.length > 0 && /\d$/.test(first.trim()) && /^\s*\d/.test(rest[0]!);
    if (to === 0 && cells.length <= width && !isTwo) {
      apart.push(row);
      return row;
    }
    texts.set(
      place,
      to > 0
        ? cells.slice(from, to).join(delimiter)
        : isTwo
          ? amount
          : cells.slice(map.points).join(delimiter),
    );
    const own = isTwo ? cells.with(map.points, first.trim()) : cells;
    apart.push({ ...row, cells: own.slice(0, width) });
    if (to === 0 && !isTwo) return row;
    isJoined = true;
    return to === 0 ? row : { ...row, cells: join(cells, from, to, map, delimiter) };
  });
  return texts.size === 0 ? null : { apart, joined: isJoined ? joined : null, texts };
}

const PART = /^\d[\d.]*$/;

/** The widest range of cells with the amount that is one amount when joined; 0, 0 when there is none. */
function partsOf(cells: readonly string[], map: Known["map"], delimiter: string): [number, number] {
  const { points } = map;
  const isPart = (column: number) => PART.test(bareAmount(cells[column] ?? ""));
  if (!isPart(points)) return [0, 0];
  let start = points;
  let end = points + 1;
  while (isPart(start - 1)) start--;
  while (isPart(end)) end++;
  for (let from = points; from >= start; from--)
    for (let to = end; to > points; to--) {
      const isOne = to - from > 1 && possibleAmounts(joinedText(cells, from, to, delimiter)).size > 0;
      if (isOne) return [from, to];
    }
  return [0, 0];
}

const joinedText = (cells: readonly string[], from: number, to: number, delimiter: string) =>
  cells.slice(from, to).map(bareAmount).join(delimiter);

function join(
  cells: readonly string[],
  from: number,
  to: number,
  { toAddress, points }: Known["map"],
  delimiter: string,
): string[] {
  const text = joinedText(cells, from, to, delimiter);
  const closed = [...cells.slice(0, from), text, ...cells.slice(to)];
  const fits = from === points && (toAddress < from || looksLikeAddress(closed[toAddress] ?? ""));
  if (fits) return closed;
  // The other columns stay where they are.
  return cells.map((cell, column) => (column === points ? text : column >= from && column < to ? "" : cell));
}

/** The last row, when it is the sum of the others and not a transfer. */
export interface TotalRow {
  line: number;
  /** Its amount; null when it has none. */
  points: string | null;
  /** Exact sum of the amounts above it. */
  above: string;
}

const TOTAL_NAMES =
  /^(?:grand |sub)?total(?:s|e)?\b|^sum\b|^summe\b|^gesamt|^somme\b|^suma\b|^totaal\b|^soma\b|^итог|^всего|^合计|^总计|^合計/i;

/** "named" for a row called a total, "unnamed" for one with only an amount; null when it has an address. */
export function mayBeTotal({ cells }: TableRow, { toAddress, points }: Known["map"]) {
  const address = cells[toAddress] ?? "";
  if (looksLikeAddress(address) || /^0x/i.test(address)) return null;
  if (cells.some((cell) => TOTAL_NAMES.test(cell))) return "named";
  return address === "" && cells.every((cell, column) => column === points || cell === "") ? "unnamed" : null;
}
