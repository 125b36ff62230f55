import { closeDaysWhenDue } from "./close-days";
import { stopLongWork } from "./own-pool";
import { selfCheckWhenDue } from "./self-check";

const LOOK_EVERY_MS = 60_000;
/** Delay before the first check, so that the service can start up first. */
const FIRST_LOOK_MS = 5_000;
const SECONDS_MAX = 900;

/** Checks every minute whether a day of the books must be closed or a ledger self-check is due. `stop` aborts what is running. */
export function startSelfCheckTimer(): { stop(): Promise<void> } {
  let current: Promise<void> | undefined;
  const look = () => {
    current ??= runDue().finally(() => {
      current = undefined;
    });
  };
  let isStopping = false;
  async function runDue(): Promise<void> {
    await closeDaysWhenDue(SECONDS_MAX);
    if (!isStopping) await selfCheckWhenDue({ startedBy: "scheduler", secondsMax: SECONDS_MAX });
  }
  const first = setTimeout(look, FIRST_LOOK_MS);
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      isStopping = true;
      await stopLongWork();
      await current;
    },
  };
}
