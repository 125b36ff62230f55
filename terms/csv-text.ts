/**
 * Where a spreadsheet would begin a formula, full-width signs included: at the start of the cell, and after a
 * semicolon, tab or line break, at which some locales and import settings split, inside quotes too.
 * Apostrophes in between change nothing, so that each place where one was added is found again.
 */
const FORMULA_START = `^(?='*[\\t\\r])|(?:^|(?<=[;\\t\\r\\n]))(?=['"\\s]*[=+\\-@＝＋－＠])`;
const UNGUARDED = new RegExp(FORMULA_START, "g");
const GUARDS = new RegExp(`(?:${FORMULA_START})'`, "g");
/** Of a longer text, each place gets one: looking ahead from every line break would take minutes. */
const SEARCHED_CHARS_MAX = 10_000;
const EVERY_PLACE = /^|(?<=[;\t\r\n])/g;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * RFC 4180. An apostrophe keeps spreadsheets from running a formula. A negative number is none.
 * @param isPlain for programs: without apostrophes
 */
export function csvCell(value: string, isPlain = false): string {
  const places = value.length > SEARCHED_CHARS_MAX ? EVERY_PLACE : UNGUARDED;
  const guarded = isPlain || NEGATIVE_NUMBER.test(value) ? value : value.replaceAll(places, "'");
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The value that `csvCell` was given. Of any other cell, it may be another value. */
export const withoutGuards = (cell: string): string => cell.replaceAll(GUARDS, "");

export const csvLine = (cells: readonly string[], isPlain = false) =>
  `${cells.map((cell) => csvCell(cell, isPlain)).join(",")}\r\n`;
