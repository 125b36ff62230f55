import type { Plan } from "../plan/plan";
import type { Checked, CheckOptions, FileFault } from "./check-rows";
import type { Columns } from "./map-columns";
import type { Delimiter } from "./read-table";

/** What was read of a file. */
export interface Loaded {
  /** Told apart from the file read before. */
  number: number;
  name: string;
  rowCount: number;
  delimiter: Delimiter;
  emptyLines: number;
  columns: Columns;
}

/** What the page asks of the worker. A newer `load` or `check` ends the one before. */
export type Request =
  | { kind: "load"; source: File | string; name: string; header: boolean | undefined }
  | { kind: "check"; options: CheckOptions }
  | { kind: "bad-rows" }
  | { kind: "save"; plan: Plan };

export type Reply =
  | { kind: "loaded"; loaded: Loaded }
  | { kind: "progress"; done: number; total: number }
  | { kind: "faults"; faults: FileFault[] }
  | { kind: "checked"; checked: Omit<Checked, "faults"> }
  | { kind: "bad-rows"; csv: string }
  | { kind: "saved" }
  | { kind: "refused"; words: string };

export type Asked = Request & { ask: number };
export type Answered = Reply & { ask: number };
