/** Runs `work`, which must not throw, after `firstMs` and then every `everyMs`, unless it is still running. `stop` waits for it. */
export function startTimer(
  firstMs: number,
  everyMs: number,
  work: () => Promise<void>,
): { stop(): Promise<void> } {
  let current: Promise<void> | undefined;
  const run = () => {
    current ??= work().finally(() => {
      current = undefined;
    });
  };
  const first = setTimeout(run, firstMs);
  const timer = setInterval(run, everyMs);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await current;
    },
  };
}
