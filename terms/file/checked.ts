import type { BatchLimits } from "@/terms/batch-limits";
import type { PointType } from "@/terms/batch-terms";
import type { NumberFormat, Reading } from "./number-format";
import type { Columns, KnownColumns, PaidField } from "./rank-columns";
import type { SheetName } from "./read-workbook";
import type { FixKind, RowCode } from "./row-errors";

/** What the rows are checked against. */
export interface BatchRules {
  /** Empty until one is chosen. Until then, no row is an error for paying the contract itself. */
  contractAddress: string;
  pointType: PointType;
  limits: RowLimits;
}

export type RowLimits = Pick<BatchLimits, "transfersMax" | "minimumPoints" | "zeroAddressAllowed">;

export interface CheckOptions extends BatchRules {
  columns: KnownColumns;
  treatment: Treatment;
}

/** A column that could be meant, with its first values. */
export interface ColumnChoice {
  column: number;
  name: string;
  samples: string[];
  /** Of amounts: exact, one for each way to read them. */
  totals: string[];
  /** How many values cannot be added up. */
  uncounted: number;
}

/** Empty for a field whose column is known. */
export type ColumnChoices = Record<PaidField, ColumnChoice[]>;

export interface FileError {
  line: number;
  /** Name of the column; empty when the error concerns the whole row. */
  column: string;
  value: string;
  code: RowCode;
  message: string;
}

export interface Part {
  count: number;
  /** Decimal string, exact. */
  points: string;
}

export interface Transfer {
  toAddress: string;
  points: string;
  reference?: string;
}

/** The last row, when it is the sum of the others and not a transfer. */
export interface TotalRow {
  line: number;
  /** Its amount; null when it has none. */
  points: string | null;
  /** Exact sum of the amounts above it. */
  above: string;
}

export interface FixCount {
  kind: FixKind;
  count: number;
  /** The chains or marks, with the number of values. */
  names: Map<string, number>;
  /** The first of the values. */
  first: { line: number; given: string; value: string };
  /** What rounding takes from the total, decimal string; below zero when it adds to it. */
  loss: string;
}

export interface Checked {
  rowCount: number;
  errors: FileError[];
  badRows: number;
  /** Exact total of the valid rows, decimal string. */
  points: string;
  transferCount: number;
  parts: Part[];
  readings: Reading[];
  /** In use; null until the user chooses one. */
  chosenFormat: NumberFormat | null;
  /** What the user must decide before any row is read. */
  questions: "format"[];
  /** Of each kind that the rows have. */
  fixes: FixCount[];
  /** Rows that pay an address which an earlier row pays, anywhere in the file. */
  duplicateCount: number;
  /** Rows with less than the minimum, with their exact sum, and the lines that are left out for it. */
  below: { count: number; points: string; leftOut: number[] };
  total: TotalRow | null;
  /** Rows of an export whose batch pays them. Null if there are none, or they are not compared yet. */
  paidAlready: { count: number; text: string } | null;
  /** Those of the notes that make it doubtful whether the rows are to be paid. */
  doubts: string[];
  /** What the user should know about how the file was read. The first names the columns that are paid. */
  notes: [readAs: string, ...others: string[]];
}

/** What the worker keeps: the transfers part by part, each in the order of the file. */
export interface CheckedRows extends Checked {
  transfers: Transfer[];
}

export interface LoadedFile {
  name: string;
  rowCount: number;
  columns: Columns;
  /** The only one that a column of the file names. */
  pointType: PointType | null;
  /** Null for text. */
  workbook: {
    sheets: SheetName[];
    /** Null until the user chooses one of several. */
    sheet: number | null;
  } | null;
}

/** What the user decided about a file's rows. The file itself does not change. */
export interface Treatment {
  /** Null uses the detected one. */
  format: NumberFormat | null;
  fixes: readonly FixKind[];
  duplicates: "refuse" | "add-up" | "keep-first";
  leaveOutTotal: boolean;
  belowMinimum: "refuse" | "leave-out";
  /** What an export's batches have paid already is paid once more. */
  payAgain: boolean;
}

export const UNTREATED: Treatment = {
  format: null,
  fixes: [],
  duplicates: "refuse",
  leaveOutTotal: false,
  belowMinimum: "refuse",
  payAgain: false,
};
