import type { Difference } from "@/server/batches/compare/compare-batches";
import { csvLine } from "../../../../export/to-csv";

/** One line per recipient that differs. Nothing is 0. */
export const csvOfDifferences = (differences: readonly Difference[]): string =>
  [
    csvLine(["to_address", "change", "before", "after", "difference"]),
    ...differences.map(({ toAddress, kind, before, after, difference }) => {
      // A negative amount is a number, not a formula.
      const numbers = [before ?? "0", after ?? "0", difference].join(",");
      return `${csvLine([toAddress, kind]).trimEnd()},${numbers}\r\n`;
    }),
  ].join("");
