/** A currency or the name of the unit. Anything else could change the amount, such as `%`, `k` or `Mio`. */
const UNIT = "(?:\\p{Sc}|usd|eur|gbp|chf|jpy|points?|pts|gold)?";
const AMOUNT = new RegExp(`^${UNIT}\\s*\\+?\\s*([\\d.,'’\\s]*\\d[.,]?)\\s*${UNIT}$`, "iu");
/** Longer values are no amounts, and would take long to search. */
const CHARS_MAX = 100;

/** What is written of an amount without its unit, plus sign, leading zeros and trailing mark; null when it is no amount. */
export function bareNumber(value: string): string | null {
  const given = value.length > CHARS_MAX ? undefined : AMOUNT.exec(value)?.[1];
  if (given === undefined) return null;
  return given
    .replace(/[.,]$/, "")
    .replace(/^0+(?=\d)/, "")
    .replace(/^(?=[.,])/, "0");
}
