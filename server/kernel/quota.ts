import { single } from "./process";
import { settings } from "./settings";

/** A quota per minute is split into shorter windows, so that it cannot be used up in one burst. */
export const QUOTA_WINDOW_SECONDS = 10;

/** An office has one address and many people. */
const TIMES_WITH_SESSION = 10;

/** How many calls or pages a window allows; null without a limit. */
export function consoleQuota(hasSession: boolean): number | null {
  const perMinute = settings().CONSOLE_RATE_LIMIT_PER_MINUTE / (hasSession ? 1 : TIMES_WITH_SESSION);
  return perMinute > 0 ? Math.ceil((perMinute * QUOTA_WINDOW_SECONDS) / 60) : null;
}

type Window = { count: number; endsAtMs: number };

/**
 * Counts one request. A window begins with a caller's first request.
 * @returns null within the quota, otherwise the seconds until the window ends
 */
export function overQuota(name: string, max: number, caller: string): number | null {
  // Ordered by the end of the window, because all windows have the same length.
  const windows = single(`quota of ${name}`, () => new Map<string, Window>());
  const nowMs = performance.now();
  for (const [past, { endsAtMs }] of windows) {
    if (endsAtMs > nowMs) break;
    windows.delete(past);
  }
  const window = windows.get(caller) ?? { count: 0, endsAtMs: nowMs + QUOTA_WINDOW_SECONDS * 1000 };
  windows.set(caller, window);
  window.count++;
  return window.count <= max ? null : Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000));
}
