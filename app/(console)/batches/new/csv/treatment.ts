import type { FixKind } from "./fixes";
import type { NumberFormat } from "./number-format";

/** What the user decided about a file's rows. The file itself does not change. */
export interface Treatment {
  /** Null uses the detected one. */
  format: NumberFormat | null;
  /** Whether cells next to the amount are parts of it, where that is in doubt. */
  pieces: "ask" | "apart" | "joined";
  /** Kinds of fixes that are applied. */
  fixes: readonly FixKind[];
  /** What happens to rows that pay an address which an earlier row pays. */
  duplicates: "refuse" | "add-up" | "keep-first";
  leaveOutTotal: boolean;
  hiddenRows: "ask" | "include" | "leave-out";
}

export const UNTREATED: Treatment = {
  format: null,
  pieces: "ask",
  fixes: [],
  duplicates: "refuse",
  leaveOutTotal: false,
  hiddenRows: "ask",
};
