import type { Delimiter } from "./read-table";

export const DELIMITER_NAMES = {
  "\t": "tabs",
  ";": "semicolons",
  "|": "pipes",
  ",": "commas",
} as const satisfies Record<Delimiter, string>;
