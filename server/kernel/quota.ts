import { single } from "./process";

/** A quota per minute is split into shorter windows, so that it cannot be used up in one burst. */
export const QUOTA_WINDOW_SECONDS = 10;

export const perWindow = (perMinute: number) => Math.ceil((perMinute * QUOTA_WINDOW_SECONDS) / 60);

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
