import type { LabelledDifference } from "@/server/batches/compare/compare-batches";
import { csvLine } from "../../../../export/to-csv";

/** One line per recipient that differs, with 0 where a batch does not pay it. */
export const csvOfDifferences = (differences: readonly LabelledDifference[]): string =>
  [
    csvLine(["to_address", "label", "change", "before", "after", "difference"]),
    ...differences.map(({ toAddress, label, kind, before, after, difference }) => {
      // A negative amount is a number, not a formula.
      const numbers = [before ?? "0", after ?? "0", difference].join(",");
      return `${csvLine([toAddress, label ?? "", kind]).trimEnd()},${numbers}\r\n`;
    }),
  ].join("");
