import type { LabelledDifference } from "@/server/batches/compare/compare-batches";
import type { CsvColumns } from "../../../../../../data/csv";

/** One line per recipient that differs, with 0 where a batch does not pay it. */
export const DIFFERENCE_COLUMNS: CsvColumns<LabelledDifference> = {
  to_address: ({ toAddress }) => toAddress,
  label: ({ label }) => label,
  change: ({ kind }) => kind,
  before: ({ before }) => before ?? "0",
  after: ({ after }) => after ?? "0",
  difference: ({ difference }) => difference,
};
