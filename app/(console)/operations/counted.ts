import { formatAmount } from "../../ui/amount";

/** `1 batch`, `1,204 batches`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatAmount(String(count))} ${count === 1 ? one : many}`;

/** A check stores no more findings than this. */
export const FINDINGS_MAX = 100;

/** `1 finding`, `100 or more findings`. */
export const countedFindings = (count: number) =>
  count < FINDINGS_MAX ? counted(count, "finding", "findings") : `${FINDINGS_MAX} or more findings`;
