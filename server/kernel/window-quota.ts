import { single } from "./single";

/** A quota per minute is split into shorter windows, so that it cannot be used up in one burst. */
export const WINDOW_SECONDS = 10;

/** How much of a quota per minute one window allows. */
export const perWindow = (perMinute: number) => Math.ceil((perMinute * WINDOW_SECONDS) / 60);

/** Counts a request of this process against a quota per window. @returns seconds to wait, or null within the quota */
export const overQuota = (name: string, max: number, caller: string): number | null =>
  single(`quota of ${name}`, () => new WindowQuota(max, WINDOW_SECONDS)).count(caller);

interface Window {
  count: number;
  endsAtMs: number;
}

/**
 * A quota that this process counts in memory, in windows that begin with a caller's first request. It uses the monotonic
 * clock, so a changed system clock does not matter.
 */
export class WindowQuota {
  readonly #max: number;
  readonly #windowMs: number;
  /** Ordered by the end of the window, because all windows have the same length. */
  readonly #windows = new Map<string, Window>();

  constructor(max: number, windowSeconds: number) {
    this.#max = max;
    this.#windowMs = windowSeconds * 1000;
  }

  /** Counts a request. @returns null within the quota, otherwise the seconds until the window ends */
  count(caller: string): number | null {
    const nowMs = performance.now();
    this.#forgetPast(nowMs);
    const window = this.#windows.get(caller) ?? { count: 0, endsAtMs: nowMs + this.#windowMs };
    this.#windows.set(caller, window);
    window.count++;
    return window.count <= this.#max ? null : Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000));
  }

  /** How many callers are in memory. */
  get size(): number {
    return this.#windows.size;
  }

  #forgetPast(nowMs: number): void {
    for (const [caller, { endsAtMs }] of this.#windows) {
      if (endsAtMs > nowMs) return;
      this.#windows.delete(caller);
    }
  }
}
