/** Digits that a spreadsheet shows of a number. Digits 16 and 17 are binary rounding noise. */
const DIGITS_KEPT = 15;
const DIGITS_STORED = 17;
/** In units of the 17th digit: the largest error of one rounding to binary, and of a short calculation. */
const NOISE_MAX = 12n;
const STEP = 10n ** BigInt(DIGITS_STORED - DIGITS_KEPT);
/** No amount is longer; a larger exponent would only make a long string. */
const PLACES_MAX = 60;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;

export interface StoredNumber {
  /** Plain digits and a point, without an exponent. */
  text: string;
  /** Whether binary rounding noise was removed, as in 0.30000000000000004. */
  isCleaned: boolean;
}

/**
 * A number cell's stored text as a plain decimal. It never becomes a float. Excel stores 1.1 as 1.1000000000000001 and shows
 * 15 digits, and so does this if digits 16 and 17 can only be rounding noise. Every other number keeps all its digits.
 * @param isExact keeps every digit, for numbers that no spreadsheet wrote
 * @returns null when the text is not a number, or longer than any amount
 */
export function readStoredNumber(stored: string, isExact = false): StoredNumber | null {
  const match = NUMBER.exec(stored.trim());
  if (!match) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const given = (whole + fraction).replace(/^0+/, "");
  const leadingZeros = whole.length + fraction.length - given.length;
  let point = whole.length - leadingZeros + Number(exponent);
  let digits = given.replace(/0+$/, "");
  if (digits === "") return { text: "0", isCleaned: false };
  const isInteger = fraction === "" && exponent === "0";
  let isCleaned = false;
  if (!isExact && !isInteger && digits.length > DIGITS_KEPT && digits.length <= DIGITS_STORED) {
    const units = BigInt(digits.padEnd(DIGITS_STORED, "0"));
    const rest = units % STEP;
    const kept = rest <= NOISE_MAX ? units - rest : STEP - rest <= NOISE_MAX ? units + STEP - rest : null;
    if (kept !== null) {
      isCleaned = true;
      point += kept.toString().length - DIGITS_STORED;
      digits = kept.toString().replace(/0+$/, "");
    }
  }
  if (Math.abs(point) > PLACES_MAX || digits.length > PLACES_MAX) return null;
  if (point <= 0) return { text: `${sign}0.${"0".repeat(-point)}${digits}`, isCleaned };
  if (digits.length <= point) return { text: sign + digits.padEnd(point, "0"), isCleaned };
  return { text: `${sign}${digits.slice(0, point)}.${digits.slice(point)}`, isCleaned };
}
