/** The longest possible timer; a longer one would fire immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Rejects with the signal's reason if the caller aborts during the wait. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(Math.max(ms, 0), TIMER_MS_MAX),
    );
    signal?.addEventListener("abort", abort, { once: true });
  });
}
