import { counted } from "../../ui/counted";

/** The most findings that a check stores. */
export const FINDINGS_MAX = 100;

/** `1 finding`, `100 or more findings`. */
export const countedFindings = (count: number) =>
  count < FINDINGS_MAX ? counted(count, "finding", "findings") : `${FINDINGS_MAX} or more findings`;
