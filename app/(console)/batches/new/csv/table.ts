import { formatCount } from "@/app/ui/amount";
import { FileProblem } from "./decode-file";

/** 125 batches of the default 2,000 transfers. */
export const ROWS_MAX = 250_000;

export interface TableRow {
  /** Line in the file where the row begins, counted from 1. */
  line: number;
  /** Trimmed. */
  cells: string[];
  /** Columns whose cell is a number in a workbook or in JSON, which has only one reading: plain digits and a point. */
  numbers?: readonly number[];
  /** Hidden or filtered out in a workbook. */
  hidden?: boolean;
}

export interface Table {
  rows: TableRow[];
  /** Null in a workbook and in JSON, a space in a list of an address and an amount per line. */
  delimiter: string | null;
  /** Whether the first line also has commas that may separate cells. */
  hasOtherCommas?: boolean;
  /** Whether the first row names the columns, where the file says so. */
  header?: boolean;
  /** Hidden in a workbook: never chosen for the user. */
  hiddenColumns?: ReadonlySet<number>;
  emptyLines: number;
  /** Rows above the table, such as a title. */
  titleRows?: number;
  /** What the user should know about the file. */
  notes?: string[];
}

export const tooManyRows = (count: number) =>
  new FileProblem(
    `There are ${formatCount(count)} rows, but you can submit up to ${formatCount(ROWS_MAX)} at a time. Split the file.`,
  );
