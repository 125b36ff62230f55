import { closeDaysWhenDue } from "./close-days";
import { stopLongWork } from "./own-pool";
import { selfCheckWhenDue } from "./self-check";
import { startTimer } from "./timer";

const LOOK_EVERY_MS = 60_000;
/** Delay before the first check, so that the service can start up first. */
const FIRST_LOOK_MS = 5_000;
const SECONDS_MAX = 900;

/** Checks every minute whether a day of the books must be closed or a ledger self-check is due. `stop` aborts what is running. */
export function startSelfCheckTimer(): { stop(): Promise<void> } {
  let isStopping = false;
  const timer = startTimer(FIRST_LOOK_MS, LOOK_EVERY_MS, async () => {
    await closeDaysWhenDue(SECONDS_MAX);
    if (!isStopping) await selfCheckWhenDue({ startedBy: "scheduler", secondsMax: SECONDS_MAX });
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all([timer.stop(), stopLongWork()]);
    },
  };
}
