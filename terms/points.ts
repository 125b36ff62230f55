import { POINTS_PATTERN } from "./batch-terms";
import { formatUnits } from "./units";

/** Decimal places of an amount: `numeric(38,12)` in the ledger. */
export const POINTS_DECIMALS = 12;

const SCALE = 10n ** BigInt(POINTS_DECIMALS);

/** No sign, exponent, spaces or grouping, at most 26 digits before the point and 12 after. */
export const isPoints = (value: string): boolean => POINTS_PATTERN.test(value);

/** Whole, exact units of 10⁻¹² points. @throws RangeError when the string is not an amount. */
export function parsePoints(value: string): bigint {
  if (!isPoints(value)) throw new RangeError("not an amount of points");
  return unitsOf(value);
}

const SUM_PATTERN = /^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,12})?$/;

/** A sum of amounts in 10⁻¹² points, with any number of digits. @throws RangeError when it is not one */
export function parseSum(value: string): bigint {
  if (!SUM_PATTERN.test(value)) throw new RangeError("not a sum of points");
  return unitsOf(value);
}

function unitsOf(value: string): bigint {
  const [whole = "0", fraction = ""] = value.split(".");
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(POINTS_DECIMALS, "0"));
}

/** `sumPoints` carries over after this many: 4,000 parts of 12 digits stay below 2^53, and so exact. */
const SUMMED_AT_ONCE = 4000;
const ZERO = 48;

/**
 * The exact sum of amounts as a whole number of 10⁻¹² points. Both parts of an amount are added as numbers
 * that stay small enough to be exact, in a tenth of the time of a bigint per row. Needed by "submit 2000 at
 * 16, lower" in docs/benchmarks.md.
 */
export function sumPoints(amounts: readonly string[]): bigint {
  let sum = 0n;
  let whole = 0;
  let units = 0;
  for (let at = 0; at < amounts.length; at++) {
    const amount = amounts[at]!;
    const wholeLength = lengthOfWhole(amount);
    if (wholeLength > POINTS_DECIMALS) sum += parsePoints(amount);
    else {
      whole += digitsOf(amount, 0, wholeLength);
      units += digitsOf(amount, wholeLength + 1, wholeLength + 1 + POINTS_DECIMALS);
    }
    if ((at + 1) % SUMMED_AT_ONCE === 0) {
      sum += BigInt(whole) * SCALE + BigInt(units);
      whole = 0;
      units = 0;
    }
  }
  return sum + BigInt(whole) * SCALE + BigInt(units);
}

/** The digits in a range as a whole number. Missing digits at the end count as zeros. */
function digitsOf(amount: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++)
    value = value * 10 + (at < amount.length ? amount.charCodeAt(at) - ZERO : 0);
  return value;
}

/** For valid amounts. Compares strings, not bigints, for the same row as `sumPoints`. */
export function isAtLeast(value: string, least: string): boolean {
  const wholeLength = lengthOfWhole(value);
  const leastLength = lengthOfWhole(least);
  if (wholeLength !== leastLength) return wholeLength > leastLength;
  // With equally many digits before the point, text order is that of amounts, but for zeros at the end.
  return value >= least || shortestPoints(value) === shortestPoints(least);
}

function lengthOfWhole(value: string): number {
  const point = value.indexOf(".");
  return point === -1 ? value.length : point;
}

/** The shortest exact decimal string of a whole number of 10⁻¹² points: `10.5`, never `10.500000000000`. */
export const formatPoints = (units: bigint): string => formatUnits(units, POINTS_DECIMALS);

/** The shortest form of a decimal string as Postgres writes a `numeric`, sign allowed. */
export function shortestPoints(value: string): string {
  if (!value.endsWith("0") || !value.includes(".")) return value;
  return value.replace(/\.?0+$/, "");
}
