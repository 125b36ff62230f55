import type { Delimiter } from "./read-table";

export const DELIMITER_WORDS = {
  "\t": "tabs",
  ";": "semicolons",
  "|": "bars",
  ",": "commas",
} as const satisfies Record<Delimiter, string>;
