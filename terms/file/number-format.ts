import { formatPoints, isPoints, sumPoints } from "@/terms/points";

/** How the amounts of a column are written. Each name is an example. */
export const NUMBER_FORMATS = [
  "1,234.56",
  "1.234,56",
  "1 234,56",
  "1 234.56",
  "1'234.56",
  "1'234,56",
] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** Also no-break, figure, thin and narrow no-break spaces, which spreadsheets write. */
const SPACE = "[ \\u00a0\\u2007\\u2009\\u202f]";
const APOSTROPHE = "['’]";

interface Form {
  decimal: "." | ",";
  pattern: RegExp;
  grouping: RegExp;
}

/** A group never starts with 0, so that `0,125` is a fraction. */
function form(decimal: Form["decimal"], group: string, otherGroups = ""): Form {
  const grouped = `[1-9]\\d{0,2}(?:${group}\\d{3})+${otherGroups}`;
  return {
    decimal,
    pattern: new RegExp(`^(?:\\d+|${grouped})(?:\\${decimal}\\d+)?$`),
    grouping: new RegExp(group, "g"),
  };
}

const FORMS: Record<NumberFormat, Form> = {
  // 12,34,567 is how lakhs are grouped in India.
  "1,234.56": form(".", ",", "|[1-9]\\d?(?:,\\d{2})+,\\d{3}"),
  "1.234,56": form(",", "\\."),
  "1 234,56": form(",", SPACE),
  "1 234.56": form(".", SPACE),
  "1'234.56": form(".", APOSTROPHE),
  "1'234,56": form(",", APOSTROPHE),
};

/** Plain digits and a point, without the zeros after 12 decimals; null for a value not in this format. */
function plainNumber(value: string, format: NumberFormat): string | null {
  const { pattern, grouping, decimal } = FORMS[format];
  if (!pattern.test(value)) return null;
  return value
    .replace(grouping, "")
    .replace(decimal, ".")
    .replace(/(\.\d{12})0+$/, "$1");
}

/** The amount in the API's format; null when the value is not in this format, or not a valid amount. */
export function readAmount(value: string, format: NumberFormat): string | null {
  const plain = plainNumber(value, format);
  return plain !== null && isPoints(plain) ? plain : null;
}

/** A currency or the name of the unit. Anything else could change the amount, such as `%`, `k` or `Mio`. */
const UNIT = "(?:\\p{Sc}|usd|eur|gbp|chf|jpy|points?|pts|gold)";
const AMOUNT = new RegExp(`^${UNIT}?\\s*\\+?\\s*([\\d.,'’\\s]*\\d[.,]?)\\s*${UNIT}?$`, "iu");
const UNIT_OF = new RegExp(UNIT, "iu");
export const unitOf = (value: string) => UNIT_OF.exec(value)?.[0] ?? "";
/** Longer values are not amounts, and would be slow to search. */
export const NUMBER_CHARS_MAX = 100;

/** The value without its unit, plus sign, leading zeros and trailing mark; null when it is not an amount. */
export function bareNumber(value: string): string | null {
  const given = value.length > NUMBER_CHARS_MAX ? undefined : AMOUNT.exec(value)?.[1];
  if (given === undefined) return null;
  return given
    .replace(/[.,]$/, "")
    .replace(/^0+(?=\d)/, "")
    .replace(/^(?=[.,])/, "0");
}

/** The value in each format that fits. */
export const plainNumbers = (value: string): string[] =>
  NUMBER_FORMATS.flatMap((format) => plainNumber(value, format) ?? []);

/** Every amount that the value can mean: two for `1,234`. */
export const possibleAmounts = (value: string) => new Set(plainNumbers(value).filter(isPoints));

/** What a column contains when read in one format. */
export interface Reading {
  format: NumberFormat;
  /** Number of values that are amounts in this format. */
  count: number;
  /** Their exact sum, decimal string. */
  sum: string;
}

export interface ColumnFormat {
  /** Null when the column can be read in two ways, and no value decides between them. */
  detected: NumberFormat | null;
  /** Only readings that differ, the most likely first. */
  readings: Reading[];
  /** The first value that is two amounts, such as `1,234`. */
  ambiguous: string | null;
  /** Whether as few values decide as they decide about, and none of them has three decimals. */
  isByFew: boolean;
}

export const EXAMPLES_SHOWN = 3;
const DIGITS = /^\d+$/;

/** Of an amount with more than 12 decimals, which can be paid once it is rounded. */
export const cutDecimals = (plain: string) =>
  plain.replace(/(\.\d{12})\d+$/, "$1").replace(/\.0+$|(\.\d*[1-9])0+$/, "$1");

/** Also one to round; null for any other value. */
function amountOf(plain: string): string | null {
  const amount = isPoints(plain) ? plain : cutDecimals(plain);
  return isPoints(amount) ? amount : null;
}

/**
 * Detects how a column is written. A value with only one reading, such as `0,5`, `1.234,5` or `1,234,567`,
 * decides for all, unless it may be a slip: who writes 12.5 as `12,5` does not write 2.5 as `2,500`. A unit
 * decides nothing: `1.234 €` can be two amounts. Sums also count amounts to round.
 * @param numbers values that are the same in every format, such as a workbook's number cells
 */
export function detectFormat(values: readonly string[], numbers: readonly string[] = []): ColumnFormat {
  const tallies = NUMBER_FORMATS.map((format) => ({ format, ...FORMS[format], read: [] as string[] }));
  const plain = numbers.map(amountOf).filter((amount) => amount !== null);
  const ambiguous: string[] = [];
  const only: Record<Form["decimal"], string[]> = { ".": [], ",": [] };
  for (const given of values) {
    const number = bareNumber(given) ?? given;
    if (DIGITS.test(number)) {
      if (isPoints(number)) plain.push(number);
      continue;
    }
    const decimals = new Set<Form["decimal"]>();
    const amounts = new Set<string>();
    for (const { format, decimal, read } of tallies) {
      const found = plainNumber(number, format);
      if (found === null) continue;
      decimals.add(decimal);
      const amount = amountOf(found);
      if (amount === null) continue;
      read.push(amount);
      amounts.add(amount);
    }
    if (amounts.size > 1) ambiguous.push(number);
    else for (const decimal of decimals.size === 1 ? decimals : []) only[decimal].push(number);
  }
  // Formats with the same decimal mark never disagree about a value that both can read.
  const mostLikely = (decimal: Form["decimal"]) =>
    tallies
      .filter((of) => of.decimal === decimal)
      .reduce((best, of) => (of.read.length > best.read.length ? of : best));
  const [point, comma] = [mostLikely("."), mostLikely(",")];
  const { ".": points, ",": commas } = only;
  const [decimal, deciding] =
    commas.length > points.length ? ([",", commas] as const) : ([".", points] as const);
  const isEven = points.length > 0 && points.length === commas.length;
  const isEither = ambiguous.length > 0 && points.length > 0 === commas.length > 0;
  const isByFew =
    ambiguous.length >= deciding.length && !deciding.some((number) => number.at(-4) === decimal);
  const isSlip = isByFew && ambiguous.some((number) => number.endsWith("0") && number.includes(decimal));
  const detected = isEven || isEither || isSlip ? null : (decimal === "," ? comma : point).format;
  const readings = [point, comma]
    .toSorted(
      (one, other) =>
        Number(other.format === detected) - Number(one.format === detected) ||
        other.read.length - one.read.length,
    )
    .filter(({ read }, place) => read.length > 0 || place === 0)
    .map(({ format, read }) => {
      const all = [...read, ...plain];
      return { format, count: all.length, sum: formatPoints(sumPoints(all)) };
    });
  const isNew = ({ count, sum }: Reading, place: number) =>
    readings.findIndex((other) => other.count === count && other.sum === sum) === place;
  return { detected, readings: readings.filter(isNew), ambiguous: ambiguous[0] ?? null, isByFew };
}

/** Digits that a spreadsheet shows of a number. Digits 16 and 17 are binary rounding noise. */
export const DIGITS_KEPT = 15;
const DIGITS_STORED = 17;
/** Digits that are right in a number of 64 binary digits. */
const DIGITS_WIDE = 18;
/** In units of the 17th digit: the largest error of one rounding to binary, and of a short calculation. */
const NOISE_MAX = 12n;
/** No amount is longer; a larger exponent would only make a long string. */
const PLACES_MAX = 60;
/** Longer texts are no number that a program wrote, and would be slow to search. */
const STORED_CHARS_MAX = 400;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;

interface StoredNumber {
  /** Plain digits and a point, without an exponent. */
  text: string;
  /** Whether binary rounding noise was removed, as in 0.30000000000000004. */
  isCleaned: boolean;
}

/**
 * A number cell's stored text as a plain decimal. It never becomes a float. Excel stores 1.1 as
 * 1.1000000000000001 and shows 15 digits, and so does this if digits 16 and 17 can only be rounding noise.
 * Digits beyond the 17th are noise if a number of 15 digits is the same binary number: Gnumeric writes 0.02
 * as 0.0199999999999999999996. Every other number keeps all its digits.
 * @param isExact keeps every digit, for numbers that no spreadsheet wrote
 * @returns null when the text is not a number, or longer than any amount
 */
export function readStoredNumber(stored: string, isExact = false): StoredNumber | null {
  const match = stored.length > STORED_CHARS_MAX ? null : NUMBER.exec(stored.trim());
  if (!match) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const given = (whole + fraction).replace(/^0+/, "");
  const leadingZeros = whole.length + fraction.length - given.length;
  const written = {
    digits: given.replace(/0+$/, ""),
    point: whole.length - leadingZeros + Number(exponent),
  };
  if (written.digits === "") return { text: "0", isCleaned: false };
  const isInteger = fraction === "" && exponent === "0";
  const meant = isExact || isInteger ? null : withoutLastDigits(written, Math.abs(Number(stored)));
  const { digits, point } = meant ?? written;
  const isCleaned = meant !== null;
  if (Math.abs(point) > PLACES_MAX || digits.length > PLACES_MAX) return null;
  if (point <= 0) return { text: `${sign}0.${"0".repeat(-point)}${digits}`, isCleaned };
  if (digits.length <= point) return { text: sign + digits.padEnd(point, "0"), isCleaned };
  return { text: `${sign}${digits.slice(0, point)}.${digits.slice(point)}`, isCleaned };
}

/** A number as its significant digits, and how many of them are before the decimal point. */
interface Digits {
  digits: string;
  point: number;
}

/** Without the digits that can only be binary rounding noise; null when there are none. */
function withoutLastDigits({ digits, point }: Digits, nearest: number): Digits | null {
  if (digits.length <= DIGITS_KEPT) return null;
  if (digits.length <= DIGITS_STORED) return rounded(digits, point, DIGITS_STORED, NOISE_MAX);
  const wide = rounded(digits, point, DIGITS_WIDE, 0n);
  if (wide) return wide;
  // Only the name of the nearest double is taken, if it has few digits. No value is calculated with it.
  const [shortest = "", exponent] = nearest.toExponential().split("e");
  const name = shortest.replace(".", "");
  return name.length > DIGITS_KEPT ? null : { digits: name, point: Number(exponent) + 1 };
}

/** To 15 digits, if those behind them are 0 or 9 up to an error in units of the last of `count` digits. */
function rounded(digits: string, point: number, count: number, errorMax: bigint): Digits | null {
  const units = (BigInt(digits.slice(0, count + 1).padEnd(count + 1, "0")) + 5n) / 10n;
  const step = 10n ** BigInt(count - DIGITS_KEPT);
  const rest = units % step;
  if (rest > errorMax && step - rest > errorMax) return null;
  const kept = (rest <= errorMax ? units - rest : units + step - rest).toString();
  return { digits: kept.replace(/0+$/, ""), point: point + kept.length - count };
}

/** Whether an amount has more significant digits than a spreadsheet keeps. */
export const isLong = (plain: string) =>
  plain.includes(".") && plain.replaceAll(/\D|^0[.0]*/g, "").replace(/0+$/, "").length > DIGITS_KEPT;

/** The amount that a program meant which wrote it with binary rounding noise; null when there is none. */
export function withoutNoise(plain: string): string | null {
  const read = readStoredNumber(plain);
  return read?.isCleaned ? read.text : null;
}
