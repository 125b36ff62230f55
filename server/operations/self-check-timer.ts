import { selfCheckWhenDue, stopSelfChecks } from "./self-check";

const LOOK_EVERY_MS = 60_000;
/** The first look waits until the service has taken up its work. */
const FIRST_LOOK_MS = 5_000;
const SECONDS_MAX = 900;

/** The Node host looks every minute whether a self-check is due. `stop` breaks off the one that runs. */
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
