import { LATEST_MS, parseInstant } from "./fields";

/** A caller's exclusive lower bound as a UTC instant, independent of the session's time zone; null if absent. */
export function boundAfter(given: string | undefined): string | null {
  const ms = given === undefined ? null : parseInstant(given);
  return ms === null ? null : new Date(ms).toISOString();
}

/** The same for an upper bound. */
export function boundBefore(given: string | undefined): string | null {
  const ms = given === undefined ? null : parseInstant(given);
  return ms === null
    ? null
    : new Date(Math.min(ms + (hasFinerPart(given!) ? 1 : 0), LATEST_MS)).toISOString();
}

/** Whether a timestamp has digits beyond milliseconds. `Date` drops them, so an upper bound must be rounded up. */
function hasFinerPart(timestamp: string): boolean {
  const fraction = /\.\d{3}(\d+)/.exec(timestamp);
  return fraction !== null && /[1-9]/.test(fraction[1]!);
}
