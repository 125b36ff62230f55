import type { Delimiter } from "./read-table";

export const DELIMITER_NAMES = {
  "\t": "tabs",
  ";": "semicolons",
  "|": "bars",
  ",": "commas",
} as const satisfies Record<Delimiter, string>;
