import { formatCount } from "@/terms/output-text";

/** The file cannot be read, checked or saved. The message is shown to the user. */
export class FileProblem extends Error {
  override name = "FileProblem";
}

export const FILE_BYTES_MAX = 64 * 1024 * 1024;

const SAVE_AS = "In your spreadsheet, use “Save as” or “Download” and choose CSV UTF-8.";
const other = (kind: string) => `The file is ${kind}, not .xlsx, CSV or JSON. ${SAVE_AS}`;

/** What other kinds of files begin with after spaces, as Windows-1252 or, in Node, as ISO 8859-1. */
const OTHER_KINDS: [RegExp, string][] = [
  [/^ÐÏ.à/s, "This is an .xls workbook, or one with a password. Save it as .xlsx without a password."],
  [
    /^.[‹\u008b][\b]/s,
    "The file is compressed (gzip). Unpack it first, or save a .gnumeric workbook as .xlsx.",
  ],
  [/^ID;P/, other("an .slk workbook (SYLK)")],
  [/^TABLE\s+0,1/, other("a .dif workbook")],
  [/^<\?xml[^>]*>\s*<gnm:/i, other("a .gnumeric workbook")],
  [/^%PDF/, other("a PDF")],
  [/^\{\\rtf/, other("a text document (RTF)")],
  [/^<(?:!doctype|html|\?xml|table)/i, other("a web page or XML")],
  [/^ÿþ\0\0|^(?:\0\0þÿ|\0{3}[^\0]|[^\0]\0{3})/, `The file is UTF-32 text. ${SAVE_AS}`],
  [/^(?:\0[^\0]){2}|^(?:[^\0]\0){2}/, `The file is UTF-16 text without a byte-order mark. ${SAVE_AS}`],
];

const startOf = (bytes: ArrayBuffer) => new TextDecoder("latin1").decode(bytes.slice(0, 64));

/** As an .xlsx file is. */
export const isArchive = (bytes: ArrayBuffer) => startOf(bytes).startsWith("PK\u0003\u0004");

/** UTF-8, or UTF-16 with a byte-order mark. @throws FileProblem */
export function decodeFile(bytes: ArrayBuffer): string {
  const start = startOf(bytes);
  const trimmed = start.replace(/^ï»¿/, "").trimStart();
  const kind = OTHER_KINDS.find(([pattern]) => pattern.test(trimmed));
  if (kind) throw new FileProblem(kind[1]);
  const encoding = start.startsWith("ÿþ") ? "utf-16le" : start.startsWith("þÿ") ? "utf-16be" : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: encoding === "utf-8" }).decode(bytes);
  } catch {
    throw new FileProblem(`The file is not UTF-8 text. ${SAVE_AS}`);
  }
  // UTF-32 as well: it begins as UTF-16 does.
  if (text.includes("\0")) throw new FileProblem(`The file contains binary data. ${SAVE_AS}`);
  return text;
}

/** Longer than anything that is paid, and so that no check of a cell takes long. */
export const CELL_CHARS_MAX = 1000;

/** A cell's text as it is checked and shown. What is cut off ends with `…`, which no value may contain. */
export function cellText(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > CELL_CHARS_MAX ? `${trimmed.slice(0, CELL_CHARS_MAX)}…` : trimmed;
}

/** 125 batches of the default 2,000 transfers. */
export const ROWS_MAX = 250_000;

export interface TableRow {
  /** Line in the file where the row begins, counted from 1. */
  line: number;
  /** Trimmed. */
  cells: string[];
  /** Columns whose cell is a number in a workbook or in JSON: plain digits and a point, one reading. */
  numbers?: readonly number[];
  /** Columns of a CSV file whose cell is a number between quotation marks. */
  quoted?: readonly number[];
  /** Of the line, where empty cells at its end were left out. */
  cellCount?: number;
  /** Columns of a workbook whose cell may not store what was meant. */
  doubts?: Partial<Record<number, CellDoubt>>;
}

/** A whole number longer than the 15 digits that a spreadsheet keeps, or a formula never calculated. */
export type CellDoubt = "digits" | "formula";

/**
 * A formula's stored result, a number without binary rounding noise, one shown with fewer decimals than it is
 * stored with, or as something else.
 */
export type CellFact = "formula" | "cleaned" | "rounded" | "otherwise";

export interface Table {
  rows: TableRow[];
  /** Null where no amount can be split: a workbook, JSON. A space for two cells a line. */
  delimiter: string | null;
  /** Whether an apostrophe at the beginning of a text is part of it, not a spreadsheet's mark. */
  isExact?: boolean;
  /** Whether the first row names the columns, where the file says so. */
  header?: boolean;
  /** Hidden in a workbook: never chosen for the user. */
  hiddenColumns?: ReadonlySet<number>;
  /** Per column of a workbook: how many cells there are of each kind, and the first of them. */
  facts?: Partial<Record<CellFact, { count: number; example: string }>>[];
  /** Texts of rows above the table, and of lines that are no rows. */
  titles?: string[];
  comments?: string[];
  /** What the user should know about the file, and what speaks against paying it as it is. */
  notes?: string[];
  doubts?: string[];
}

/** Also with a header. @throws FileProblem */
export function requireRowsMax(rows: readonly TableRow[]): void {
  if (rows.length <= ROWS_MAX + 1) return;
  throw new FileProblem(
    `There are more than ${formatCount(ROWS_MAX)} rows, the most that you can submit at a time. ` +
      "Split the file.",
  );
}
