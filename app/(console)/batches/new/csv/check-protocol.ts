import type { Checked, CheckOptions, FileError, Transfer } from "./checked";
import type { Columns } from "./map-columns";
import type { SheetRows } from "./read-sheet";
import type { SheetName } from "./read-workbook";

export interface Loaded {
  name: string;
  rowCount: number;
  delimiter: string | null;
  emptyLines: number;
  titleRows: number;
  notes: string[];
  columns: Columns;
  /** Null for text. */
  workbook: LoadedWorkbook | null;
}

export interface LoadedWorkbook extends Partial<Pick<SheetRows, "formulaCounts" | "cleaned">> {
  sheets: SheetName[];
  /** Null until the user chooses one of several. */
  sheet: number | null;
}

/** A newer `load` or `check` cancels the previous one. */
export type Request =
  | { kind: "load"; source: File | string; name: string; header?: boolean; sheet?: number }
  | { kind: "check"; options: CheckOptions }
  | { kind: "bad-rows" }
  /** Of the last check that found no error. */
  | { kind: "rows"; part: number };

export type Reply =
  | { kind: "loaded"; loaded: Loaded }
  | { kind: "progress"; done: number; total: number }
  | { kind: "errors"; errors: FileError[] }
  | { kind: "checked"; checked: Omit<Checked, "errors"> }
  | { kind: "bad-rows"; csv: string }
  | { kind: "rows"; transfers: Transfer[] }
  | { kind: "refused"; message: string };

export type Asked = Request & { ask: number };
export type Answered = Reply & { ask: number };
