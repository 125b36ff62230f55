import { selfCheckWhenDue, stopSelfChecks } from "./self-check";

const LOOK_EVERY_MS = 60_000;
/** Delay before the first check, so that the service can start up first. */
const FIRST_LOOK_MS = 5_000;
const SECONDS_MAX = 900;

/** Checks every minute whether a ledger self-check is due. `stop` aborts one that is running. */
export function startSelfCheckTimer(): { stop(): Promise<void> } {
  let current: Promise<void> | undefined;
  const look = () => {
    current ??= selfCheckWhenDue({ startedBy: "scheduler", secondsMax: SECONDS_MAX }).finally(() => {
      current = undefined;
    });
  };
  const first = setTimeout(look, FIRST_LOOK_MS);
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await stopSelfChecks();
      await current;
    },
  };
}
