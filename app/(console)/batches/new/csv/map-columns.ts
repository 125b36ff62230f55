import type { Table } from "./read-table";

/** Column indexes; null when unknown. */
export interface ColumnMap {
  toAddress: number | null;
  points: number | null;
}

export interface Columns {
  /** Whether the first row names the columns. */
  header: boolean;
  /** `Column 2` when it has no name. */
  names: string[];
  /** Values of the first rows, column by column. */
  samples: string[][];
  map: ColumnMap;
}

const ADDRESS_NAMES =
  /^(?:to|recipient|destination|wallet|account)?(?:address|addr)$|^(?:to|recipient|destination|wallet|account|receiver|user)$/;
const POINTS_NAMES = /^(?:points?|amounts?|values?|quantity|reward|gold|balance)(?:amount|points)?$/;
const SAMPLE_ROWS = 50;
const SAMPLES_SHOWN = 3;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, "");
export const looksLikeAddress = (cell: string) => /^(?:0x)?[0-9a-f]{30,}$/i.test(cell);
const looksLikePoints = (cell: string) => /^[+-]?[\d.,'’\s]+(?:e[+-]?\d+)?$/i.test(cell);

/** Detects columns by name, then by content. `header` overrides the guess of whether the first row has names. */
export function findColumns(table: Table, header = guessHeader(table)): Columns {
  const named = header ? (table.rows[0]?.cells ?? []) : [];
  const first = table.rows.slice(header ? 1 : 0, SAMPLE_ROWS);
  // Each row of a workbook ends with its last value, so the header may be shorter than the rows.
  const width =
    table.delimiter === null
      ? Math.max(0, ...table.rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.length))
      : header
        ? named.length
        : (table.rows[0]?.cells.length ?? 0);
  const indexes = Array.from({ length: width }, (_, column) => column);
  const cellsOf = (column: number) => first.map(({ cells }) => cells[column] ?? "");
  const byContent = (looksRight: (cell: string) => boolean) =>
    onlyOne(indexes.filter((column) => mostly(cellsOf(column), looksRight)));
  const byName = (names: RegExp) =>
    onlyOne(indexes.filter((column) => names.test(plain(named[column] ?? ""))));
  const toAddress = byName(ADDRESS_NAMES) ?? byContent(looksLikeAddress);
  let points = byName(POINTS_NAMES);
  // Without names, a third column may be the rest of an amount with a thousands separator: the user has to choose.
  if (points === null && (header || width === 2)) points = byContent(looksLikePoints);
  if (points === null && width === 2 && toAddress !== null) points = 1 - toAddress;
  return {
    header,
    names: indexes.map((column) => named[column] || `Column ${column + 1}`),
    samples: indexes.map((column) => cellsOf(column).slice(0, SAMPLES_SHOWN)),
    map: { toAddress, points: points === toAddress ? null : points },
  };
}

/** A first row with neither an address nor an amount is a header. */
function guessHeader(table: Table): boolean {
  const cells = table.rows[0]?.cells ?? [];
  return (
    cells.length > 0 &&
    !cells.some((cell) => /^0x/i.test(cell) || looksLikeAddress(cell) || looksLikePoints(cell))
  );
}

const onlyOne = (found: number[]): number | null => (found.length === 1 ? found[0]! : null);

function mostly(cells: readonly string[], looksRight: (cell: string) => boolean): boolean {
  return cells.length > 0 && cells.filter(looksRight).length * 2 > cells.length;
}
