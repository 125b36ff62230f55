import type { BatchLimits } from "@/server/kernel/batch-limits";
import type { PointType } from "@/server/kernel/values/point-types";
import type { RowCode } from "./error-words";
import type { TotalRow } from "./find-total";
import type { Columns } from "./map-columns";
import type { ColumnFormat, NumberFormat } from "./number-format";
import type { Treatment } from "./treatment";

export interface CheckOptions {
  contractAddress: string;
  pointType: PointType;
  limits: BatchLimits;
  columns: Columns & { map: { toAddress: number; points: number } };
  treatment: Treatment;
}

export interface FileError {
  line: number;
  /** Name of the column; empty when the error concerns the whole row. */
  column: string;
  value: string;
  code: RowCode;
  message: string;
  /** What "Apply all suggestions" writes instead. */
  fix?: string;
}

export interface Part {
  count: number;
  /** Decimal string, exact. */
  points: string;
}

export interface Transfer {
  toAddress: string;
  points: string;
}

export interface Checked {
  rowCount: number;
  errors: FileError[];
  badRows: number;
  /** Exact total of the valid rows, decimal string. */
  points: string;
  transferCount: number;
  parts: Part[];
  format: ColumnFormat;
  /** In use; null until the user chooses one. */
  chosenFormat: NumberFormat | null;
  hiddenCount: number;
  /** What the user must decide before any row is read. */
  questions: ("format" | "hidden-rows")[];
  /** Values with a suggestion, and how many of them were replaced. */
  suggestionCount: number;
  appliedCount: number;
  /** Rows that pay an address which an earlier row pays, anywhere in the file. */
  duplicateCount: number;
  total: TotalRow | null;
}

/** What the worker keeps: the transfers in the order of the file. */
export interface CheckedRows extends Checked {
  transfers: Transfer[];
}
