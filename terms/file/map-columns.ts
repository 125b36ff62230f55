import { CELL_CHARS_MAX, type Table, type TableRow } from "./decode-file";
import { printable } from "./file-words";
import { possibleAmounts } from "./number-format";
import { bareAmount, bareText } from "./row-errors";

/** Column indexes; null when unknown. */
export interface ColumnMap {
  toAddress: number | null;
  points: number | null;
  /** What each row pays for. Few files have it. */
  reference: number | null;
}

/** Of a file whose rows can be checked. */
export type KnownMap = ColumnMap & { toAddress: number; points: number };

export interface Columns {
  /** Whether the first row names the columns. */
  header: boolean;
  /** `Column 2` when it has no name. */
  names: string[];
  /** Values of the first rows, column by column. */
  samples: string[][];
  map: ColumnMap;
}

/** Names of recipients, which win over other columns of addresses, and names that any address may have. */
const RECIPIENT_NAMES =
  /^(?:to|recipients?|receivers?|destination|payee)(?:wallet|account)?(?:address|addr)?$/;
const ADDRESS_NAMES = /^(?=.)(?:wallet|account|user|holder|beneficiary)?(?:address|addr)?$/;
/** Addresses that are never recipients, and numbers that are never amounts: the user has to choose them. */
const NO_RECIPIENT = /^(?:from|sender|payer|source|contract|token|currency|tx|txn|txhash|transaction|hash)$/;
const NO_AMOUNT = new Set(
  (
    "id ids chain network year month week day date time timestamp percent percentage pct share weight rank " +
    "index row position no nr num number block nonce decimals version wei gwei raw phone zip age level"
  ).split(" "),
);
const POINTS_NAMES = /^(?:points?|amounts?|values?|quantity|reward|gold|balance)(?:amount|points)?$/;
const SAMPLE_ROWS = 50;
const SAMPLES_SHOWN = 3;

const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/^0x/, "")
    .replaceAll(/[^a-z]/g, "");
const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
/** A reference may end in the address that it pays. */
const isNoRecipient = (name: string) =>
  namesReference(name) || wordsOf(name).some((word) => NO_RECIPIENT.test(word));
const isNoAmount = (name: string) => /[%#]/.test(name) || wordsOf(name).some((word) => NO_AMOUNT.has(word));
const ADDRESS = /(?:^|[:/=]"?)(?:0x|xdc)?[0-9a-f]{30,}(?:$|[@/?#])/i;
/** Also with a chain, in a link or in quotation marks, so that the row is never taken for something else. */
export function looksLikeAddress(cell: string): boolean {
  const text = bareText(cell);
  return text.length <= CELL_CHARS_MAX && ADDRESS.test(text) && !/\s/.test(text);
}
export const looksLikePoints = (cell: string) => /^[+-]?[\d.,'’\s]+(?:e[+-]?\d+)?$/i.test(cell);

function widthOf({ delimiter, rows }: Table): number {
  // A list has two columns, and more cells only where an amount has spaces.
  if (delimiter === " ") return 2;
  // Each row of a workbook ends with its last value, so the header may be shorter than the rows.
  if (delimiter === null) return Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.length));
  return rows[0]?.cells.length ?? 0;
}

/** By name, then by content. `header` overrides the guess of whether the first row has names. */
export function findColumns(table: Table, header = table.header ?? guessHeader(table)): Columns {
  const named = header ? (table.rows[0]?.cells ?? []) : [];
  const first = table.rows.slice(header ? 1 : 0, SAMPLE_ROWS);
  const width = widthOf(table);
  const indexes = Array.from({ length: width }, (_, column) => column);
  const cellsOf = (column: number) => first.map(({ cells }) => cells[column] ?? "");
  const nameOf = (column: number) => named[column] ?? "";
  const isHidden = (column: number) => table.hiddenColumns?.has(column) ?? false;
  const shown = indexes.filter((column) => !isHidden(column));
  const like = (looksRight: (cell: string) => boolean) =>
    shown.filter((column) => mostly(cellsOf(column), looksRight));
  const byName = (names: RegExp) => shown.filter((column) => names.test(plain(nameOf(column))));
  const toAddress = findRecipients(
    byName(RECIPIENT_NAMES),
    byName(ADDRESS_NAMES),
    like(looksLikeAddress).filter((column) => !isNoRecipient(nameOf(column))),
  );
  const mayBeAmount = (column: number) => !isHidden(column) && !isNoAmount(nameOf(column));
  let points = onlyOne(byName(POINTS_NAMES).filter(mayBeAmount));
  // Without names, a third column may be the rest of a grouped amount: the user has to choose.
  if (points === null && (header || width === 2)) points = onlyOne(like(looksLikePoints).filter(mayBeAmount));
  if (points === null && width === 2 && toAddress !== null && mayBeAmount(1 - toAddress))
    points = 1 - toAddress;
  return {
    header,
    names: indexes.map(
      (column) =>
        `${printable(nameOf(column)) || `Column ${column + 1}`}${isHidden(column) ? " (hidden)" : ""}`,
    ),
    samples: indexes.map((column) => cellsOf(column).slice(0, SAMPLES_SHOWN)),
    map: {
      toAddress,
      points: points === toAddress ? null : points,
      // Also of a hidden column, and with repeated values: at worst, rows are refused.
      reference: indexes.find((column) => namesReference(nameOf(column))) ?? null,
    },
  };
}

/** Where several columns could be paid, the user has to choose. */
function findRecipients(recipients: number[], addresses: number[], byContent: number[]): number | null {
  if (recipients.length > 0) return onlyOne(recipients);
  if (byContent.length === 0) return onlyOne(addresses);
  const found = onlyOne(byContent);
  return found !== null && (addresses.length === 0 || addresses.includes(found)) ? found : null;
}

/** A first row with neither an address nor an amount is a header. */
function guessHeader(table: Table): boolean {
  const cells = table.rows[0]?.cells ?? [];
  return (
    cells.length > 0 &&
    !cells.some((cell) => /^0x[0-9a-f]+$/i.test(cell) || looksLikeAddress(cell) || looksLikePoints(cell))
  );
}

export const namesAddress = (name: string) =>
  RECIPIENT_NAMES.test(plain(name)) || ADDRESS_NAMES.test(plain(name));

/** Counts the rows above one that names the columns, or with a single cell above an address. */
export function countTitles(rows: readonly TableRow[]): number {
  const first = rows.findIndex(({ cells }) => cells.some(looksLikeAddress));
  const named = rows
    .slice(0, Math.max(0, first))
    .findIndex(
      ({ cells }) => cells.some(namesAddress) && cells.some((cell) => POINTS_NAMES.test(plain(cell))),
    );
  if (named > 0) return named;
  // What is above a list of addresses may be meant as one.
  if (rows[first]?.cells.length === 1) return 0;
  let titles = 0;
  while (titles < first && rows[titles]!.cells.filter(Boolean).length === 1) titles++;
  return titles;
}

const onlyOne = (found: number[]): number | null => (found.length === 1 ? found[0]! : null);

export const namesReference = (name: string) => /^(?:payment)?references?$/.test(plain(name));

function mostly(cells: readonly string[], looksRight: (cell: string) => boolean): boolean {
  return cells.length > 0 && cells.filter(looksRight).length * 2 > cells.length;
}

/** Rows whose amount the file's own separator may have split, in both readings. */
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

type Known = Columns & { map: KnownMap };

/**
 * Finds amounts such as `1,000` without quotes, which are two cells: the first alone would be a plausible
 * wrong amount. A number next to the amount and more cells than columns raise the doubt. A quoted number does
 * not, nor does a column of numbers that the heading names, in rows with as many cells as the heading:
 * `beside` has these.
 */
export function findDoubt(
  rows: readonly TableRow[],
  { delimiter, rows: [head] }: Table,
  { header, names, map }: Known,
): { doubt: Doubt | null; beside: number[] } {
  const beside = new Set<number>();
  // A cell of a workbook or of JSON cannot be split by accident.
  if (delimiter === null) return { doubt: null, beside: [] };
  const width = delimiter === " " ? Math.max(2, map.toAddress + 1, map.points + 1) : names.length;
  const headCount = header && delimiter !== " " ? cellCountOf(head!) : null;
  const own = numberColumns(rows, header ? head!.cells : []);
  const apart = [...rows];
  const joined = [...rows];
  const texts: Doubt["texts"] = new Map();
  let hasJoined = false;
  let isJoinedLikely = false;
  for (const [place, row] of rows.entries()) {
    const { cells } = row;
    const isPart = (column: number) =>
      !row.quoted?.includes(column) && PART.test(bareAmount(cells[column] ?? ""));
    const isSplit = (delimiter === "," || delimiter === " ") && isPart(map.points);
    let range = isSplit ? partsOf(cells, map, delimiter, isPart) : null;
    if (range !== null && cellCountOf(row) === headCount) {
      const [from, to] = range;
      range = partsOf(cells, map, delimiter, (column) => isPart(column) && !own.has(column));
      for (let column = from; column < to && range === null; column++)
        if (column !== map.points) beside.add(column);
    }
    if (range === null && cells.length <= width) continue;
    apart[place] = { ...row, cells: cells.slice(0, width) };
    if (range) joined[place] = { ...row, cells: join(cells, range, map, delimiter) };
    hasJoined ||= range !== null;
    isJoinedLikely ||= headCount === null || cellCountOf(row) > headCount;
    texts.set(place, cells.slice(...(range ?? [map.points])).join(delimiter));
  }
  const doubt = texts.size === 0 ? null : { apart, joined: hasJoined ? joined : null, texts, isJoinedLikely };
  return { doubt, beside: [...beside] };
}

const cellCountOf = ({ cells, cellCount = cells.length }: TableRow) => cellCount;

/** Columns that the heading names, and that have only numbers as far as they are filled. */
const numberColumns = (rows: readonly TableRow[], head: readonly string[]) =>
  new Set(
    [...head.keys()].filter((column) => {
      const name = head[column]!;
      if (name === "" || isNamedOtherwise(name)) return name !== "";
      return rows.every(({ cells }) => !cells[column] || looksLikePoints(cells[column]));
    }),
  );

/** Whether the column's name says that it is neither an address nor an amount. */
export const isNamedOtherwise = (name: string) => namesReference(name) || isNoAmount(name);

type Range = [from: number, to: number];

const PART = /^\d[\d.]*$/;

/** From and to: the widest range of cells that is one amount when joined; null when there is none. */
function partsOf(
  cells: readonly string[],
  { points }: Known["map"],
  delimiter: string,
  isPart: (column: number) => boolean,
): Range | null {
  let start = points;
  let end = points + 1;
  while (isPart(start - 1)) start--;
  while (isPart(end)) end++;
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
  { toAddress, points }: Known["map"],
  delimiter: string,
): string[] {
  const text = joinedText(cells, [from, to], delimiter);
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

const TOTAL_NAMES = [
  /^(?:(?:grand |sub)?total(?:s|e)?|sum|summe|somme|suma|totaal|soma)\b/i,
  /^(?:gesamt|итог|всего|合计|总计|合計)/i,
];

/** "named" for a row called a total, "unnamed" for one with only an amount; null when it has an address. */
export function mayBeTotal({ cells }: TableRow, { toAddress, points }: Known["map"]) {
  const address = cells[toAddress] ?? "";
  if (looksLikeAddress(address) || /^0x/i.test(address)) return null;
  if (cells.some((cell) => TOTAL_NAMES.some((names) => names.test(cell)))) return "named";
  return address === "" && cells.every((cell, column) => column === points || cell === "") ? "unnamed" : null;
}
