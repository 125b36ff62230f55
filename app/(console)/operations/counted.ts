import { counted } from "../../ui/counted";

/** A check stores no more findings than this. */
export const FINDINGS_MAX = 100;

/** `1 finding`, `100 or more findings`. */
export const countedFindings = (count: number) =>
  count < FINDINGS_MAX ? counted(count, "finding", "findings") : `${FINDINGS_MAX} or more findings`;
