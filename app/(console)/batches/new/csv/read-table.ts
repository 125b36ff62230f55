import Papa from "papaparse";
import { UnreadableFile } from "./decode-file";

/** Most rows of one file: 500 parts of 500, or 125 of the usual 2,000. */
export const ROWS_MAX = 250_000;

export interface TableRow {
  /** Where the row begins in the file, counted from 1. */
  line: number;
  /** Without the white space around them. */
  cells: string[];
}

export interface Table {
  rows: TableRow[];
  delimiter: Delimiter;
  emptyLines: number;
}

const DELIMITERS = ["\t", ";", "|", ","] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * The rows of CSV text: quoted cells, any line ends, a byte-order mark, separated by comma, semicolon, tab or bar.
 * @throws UnreadableFile
 */
export function readTable(given: string): Table {
  const text = given.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const delimiter = guessDelimiter(text);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: "\n" });
  const hasQuotes = text.includes('"');
  const rows: TableRow[] = [];
  const lineOf: number[] = [];
  let line = 1;
  let emptyLines = 0;
  for (const given of data) {
    lineOf.push(line);
    const cells = given.map((cell) => cell.trim());
    while (cells.length > 1 && cells.at(-1) === "") cells.pop();
    if (cells.length === 1 && cells[0] === "") emptyLines++;
    else rows.push({ line, cells });
    line += 1 + (hasQuotes ? innerLines(given) : 0);
  }
  const unclosed = errors.find(({ type }) => type === "Quotes");
  if (unclosed) {
    throw new UnreadableFile(
      `Line ${lineOf[unclosed.row ?? 0] ?? 1}: a quotation mark (") is opened and not closed properly. Take it out, or write it twice inside a quoted cell.`,
    );
  }
  // What ends with a line end has one line fewer than the parser tells.
  if (text.endsWith("\n") || text === "") emptyLines--;
  if (rows.length > ROWS_MAX) {
    throw new UnreadableFile(
      `There are ${rows.length} rows; at most ${ROWS_MAX} can be sent at once. Split the file.`,
    );
  }
  return { rows, delimiter, emptyLines: Math.max(0, emptyLines) };
}

/** A quoted cell may hold line ends: the rows after it stand lower in the file. */
function innerLines(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf("\n"); at !== -1; at = cell.indexOf("\n", at + 1)) count++;
  }
  return count;
}

/** By the first line that is not empty: what stands there most, outside of quotes. */
function guessDelimiter(text: string): Delimiter {
  const start = text.search(/\S/);
  if (start === -1) return ",";
  const end = text.indexOf("\n", start);
  const line = text.slice(start, end === -1 ? undefined : end).replaceAll(/"[^"]*"/g, "");
  let best: Delimiter = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = line.split(delimiter).length - 1;
    if (count > most) {
      best = delimiter;
      most = count;
    }
  }
  return best;
}
