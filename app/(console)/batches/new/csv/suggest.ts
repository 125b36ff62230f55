import { addressError } from "@/server/kernel/values/address-text";
import { isPoints } from "@/server/kernel/values/points";
import { bareNumber, type NumberFormat, possibleAmounts, readAmount } from "./number-format";

const INVISIBLE = /[\s\u200b-\u200d\u2060\ufeff]/g;

/** The address without spaces and invisible characters, and with 0x; null when that does not make it valid. */
export function suggestAddress(value: string): string | null {
  const digits = value.replaceAll(INVISIBLE, "").replace(/^0x/i, "");
  if (!/^[0-9a-f]{40}$/i.test(digits)) return null;
  const address = `0x${digits}`;
  return addressError(address) === null ? address : null;
}

/**
 * The only amount that the value can be; null when there is none or more than one.
 * @param chosen the user's choice of format, which decides between two. A format that was only detected does not.
 */
export function suggestPoints(value: string, chosen: NumberFormat | null): string | null {
  const number = bareNumber(value);
  if (number === null) return null;
  const own = chosen && readAmount(number, chosen);
  if (own !== null) return own;
  const [amount, ...others] = possibleAmounts(number);
  return amount !== undefined && others.length === 0 && isPoints(amount) ? amount : null;
}
