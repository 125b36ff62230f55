import Papa from "papaparse";
import { formatCount } from "../../../../ui/amount";
import { FileProblem } from "./decode-file";

/** 125 batches of the default 2,000 transfers. */
export const ROWS_MAX = 250_000;

export interface TableRow {
  /** Line in the file where the row begins, counted from 1. */
  line: number;
  /** Trimmed. */
  cells: string[];
  /** Columns whose cell is a number in a workbook, which has only one reading: plain digits and a point. */
  numbers?: readonly number[];
  /** Hidden or filtered out in a workbook. */
  hidden?: boolean;
}

export interface Table {
  rows: TableRow[];
  /** Null in a workbook. */
  delimiter: Delimiter | null;
  emptyLines: number;
}

const DELIMITERS = ["\t", ";", "|", ","] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * Reads CSV with quoted cells, any line endings, a byte-order mark, and commas, semicolons, tabs or pipes as separators.
 * @throws FileProblem
 */
export function readTable(given: string): Table {
  const text = given.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const delimiter = guessDelimiter(text);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: "\n" });
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
    // Line breaks inside quoted cells push the following rows down.
    line += given.join("").split("\n").length;
  }
  const unclosed = errors.find(({ type }) => type === "Quotes");
  if (unclosed) {
    throw new FileProblem(
      `Line ${lineOf[unclosed.row ?? 0] ?? 1}: unclosed quotation mark ("). Remove it, or double it inside a quoted cell.`,
    );
  }
  // The parser counts one more line after a final line break.
  if (text.endsWith("\n") || text === "") emptyLines--;
  if (rows.length > ROWS_MAX) throw tooManyRows(rows.length);
  return { rows, delimiter, emptyLines: Math.max(0, emptyLines) };
}

export const tooManyRows = (count: number) =>
  new FileProblem(
    `There are ${formatCount(count)} rows, but you can submit up to ${formatCount(ROWS_MAX)} at a time. Split the file.`,
  );

/** The most frequent one on the first non-empty line, outside quotes. */
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
