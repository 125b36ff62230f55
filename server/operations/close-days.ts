import { closeDay, isDayToClose } from "../books/close-day";
import { database } from "../kernel/database";
import { log } from "../kernel/log";
import { onOwnPool } from "./own-pool";

/** Days closed per call. A service that was stopped for longer catches up over several calls. */
const DAYS_MAX = 100;

/** Writes the links of days that are over. Never throws, since a missing link must not stop anything else. */
export async function closeDaysWhenDue(secondsMax: number): Promise<void> {
  try {
    if (!(await isDayToClose(database()))) return;
    const endsAt = performance.now() + secondsMax * 1000;
    await onOwnPool(secondsMax, async ({ db }) => {
      for (let closed = 0; closed < DAYS_MAX && performance.now() < endsAt; closed++)
        if ((await closeDay(db)) === null) return;
    });
  } catch (error) {
    log().warn({ error }, "closing a day of the books failed, it will be retried");
  }
}
