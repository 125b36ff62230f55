import { isTimeZone } from "@/server/kernel/values/batch-terms";

/** Compares names without letter case; `New York` finds `America/New_York`. */
const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ");

/**
 * The matching IANA zones, `first` ones first. Browsers list one name per zone. Others that they accept, such as
 * `Asia/Katmandu`, are found by their whole name.
 */
export function findZones(search: string, first: readonly string[]): string[] {
  const wanted = plain(search);
  const all = new Set([...first, ...Intl.supportedValuesOf("timeZone")]);
  const found = [...all].filter((zone) => plain(zone).includes(wanted));
  if (found.length > 0 || !wanted) return found;
  const typed = search.trim().replaceAll(/\s+/g, "_");
  return isTimeZone(typed) ? [typed] : [];
}
