import Bowser from "bowser";

const LENGTH_MAX = 100;
const HEADER_LENGTH_MAX = 1000;

/** A browser's name for the list of sessions, such as "Firefox on Windows", from its `User-Agent` header. */
export function describeDevice(userAgent: string | null): string {
  const { browser, os } = Bowser.parse(userAgent?.slice(0, HEADER_LENGTH_MAX) || "unknown");
  const names = [browser.name || "Unknown browser", os.name].filter(Boolean);
  return names.join(" on ").slice(0, LENGTH_MAX);
}
