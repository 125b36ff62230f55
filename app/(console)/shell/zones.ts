import { isTimeZone } from "@/server/kernel/values/time-zones";

/** Compares names without letter case; `New York` finds `America/New_York`. */
const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ");

/**
 * The IANA zones that match, those that the caller names first. Browsers list one name per zone; a name that they do not list
 * but accept, such as `Asia/Katmandu`, is found by its whole name.
 */
export function findZones(search: string, first: readonly string[]): string[] {
  const wanted = plain(search);
  const all = new Set([...first, ...Intl.supportedValuesOf("timeZone")]);
  const found = [...all].filter((zone) => plain(zone).includes(wanted));
  if (found.length > 0 || !wanted) return found;
  const typed = search.trim().replaceAll(/\s+/g, "_");
  return isTimeZone(typed) ? [typed] : [];
}
