import type { NumberFormat } from "./number-format";

/** What the user decided about a file's rows. The file itself does not change. */
export interface Treatment {
  /** Null uses the detected one. */
  format: NumberFormat | null;
  /** Whether values with a suggestion are replaced by it. */
  suggestions: boolean;
  /** What happens to rows that pay an address which an earlier row pays. */
  duplicates: "refuse" | "add-up" | "keep-first";
  leaveOutTotal: boolean;
  hiddenRows: "ask" | "include" | "leave-out";
}

export const UNTREATED: Treatment = {
  format: null,
  suggestions: false,
  duplicates: "refuse",
  leaveOutTotal: false,
  hiddenRows: "ask",
};
