import { counted, formatAmount } from "@/terms/output-text";

// Words about a file's content. With few imports, since New payout loads them before a file is chosen.

export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
export const nameOf = (mark: string) =>
  `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
/** The value with its invisible marks shown by name. */
export const visible = (value: string) => value.replaceAll(INVISIBLE, (mark) => `⟨${nameOf(mark)}⟩`);
export const shortened = (text: string, charsMax: number) =>
  text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text;
/** No name is longer where it is only mentioned. */
const NAME_CHARS_MAX = 60;
const NAMES_MAX = 20;
/** A name from a file, for a message: bounded, with invisible and control characters shown by name. */
export const printable = (name: string) => visible(shortened(name, NAME_CHARS_MAX));
export const bounded = (texts: readonly string[], max = NAMES_MAX) =>
  [...texts.slice(0, max), ...(texts.length > max ? ["…"] : [])].join(", ");
export const listed = (names: readonly string[], max?: number) => bounded(names.map(printable), max);
/** Names of the invisible marks in a value, each once. */
export const marksOf = (value: string) => [...new Set(value.match(INVISIBLE))].map(nameOf);

/** What a loss does to the total. */
export const lossWords = (loss: string): string =>
  loss.startsWith("-") ? `the total is higher by ${loss.slice(1)}` : `the total is lower by ${loss}`;

export const ONE_COLUMN =
  "Only one column found. Put an address, a comma, semicolon, tab or space, and an amount on each line.";

/** With those whose names say that they have something else. */
export function noColumn(
  field: "toAddress" | "points",
  { names, unlikely }: { names: readonly string[]; unlikely: Record<typeof field, readonly number[]> },
): string {
  const what = field === "points" ? "amounts" : "addresses";
  const others = bounded(unlikely[field].map((column) => `“${names[column]}”`));
  const unless = others && `, unless ${others} does`;
  return `No column has ${what}${unless}. Add one to the file, or choose one.`;
}

export const totalWords = ({ totals, uncounted }: { totals: readonly string[]; uncounted: number }) =>
  [
    ...(totals.length > 0 ? [totals.map(formatAmount).join(" or ")] : []),
    ...(uncounted > 0 ? [`${counted(uncounted, "value", "values")} cannot be added up`] : []),
  ].join("; ");
