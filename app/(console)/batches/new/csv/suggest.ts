import { addressError } from "@/server/kernel/values/address-text";
import { isPoints } from "@/server/kernel/values/points";
import { type NumberFormat, possibleAmounts, readAmount } from "./number-format";

const INVISIBLE = /[\s\u200b-\u200d\u2060\ufeff]/g;

/** The address without what copying it added; null when that does not make it valid. */
export function suggestAddress(value: string): string | null {
  const digits = value.replaceAll(INVISIBLE, "").replace(/^0x/i, "");
  if (!/^[0-9a-f]{40}$/i.test(digits)) return null;
  const address = `0x${digits}`;
  return addressError(address) === null ? address : null;
}

/** A currency sign or the name of the unit. Anything else could change the amount, such as `%`, `k` or `Mio`. */
const UNIT = "(?:\\p{Sc}|points?|pts|gold)?";
const AMOUNT = new RegExp(`^${UNIT}\\s*\\+?\\s*([\\d.,'’\\s]*\\d[.,]?)\\s*${UNIT}$`, "iu");

/** The only amount that the value can be; null when there is none or more than one. */
export function suggestPoints(value: string, format: NumberFormat): string | null {
  const given = AMOUNT.exec(value)?.[1];
  if (given === undefined) return null;
  const number = given
    .replace(/[.,]$/, "")
    .replace(/^0+(?=\d)/, "")
    .replace(/^(?=[.,])/, "0");
  const own = readAmount(number, format);
  if (own !== null) return own;
  const [amount, ...others] = possibleAmounts(number);
  return amount !== undefined && others.length === 0 && isPoints(amount) ? amount : null;
}
