import { database } from "../kernel/database";
import { isDatabaseUnavailable } from "../kernel/database-errors";
import { log } from "../kernel/log";
import { requireCurrentSchema } from "../kernel/schema-gate";
import { single } from "../kernel/single";
import { startTimer } from "../operations/timer";
import { LOOK_EVERY_SECONDS, lookForAlerts } from "./look";
import { sendAlerts } from "./send-alerts";

/** Looks for conditions and sends what changed. Never throws, since nothing else may depend on it. */
export async function watchAlerts(): Promise<void> {
  try {
    await requireCurrentSchema();
    await lookForAlerts(database());
    await sendAlerts(database());
  } catch (error) {
    // Without the database nothing can be stored or compared, which /readyz reports.
    if (isDatabaseUnavailable(error)) log().debug({ error }, "alerts were not checked");
    else log().error({ error }, "alerts could not be checked or sent");
  }
}

/**
 * The same for console calls, unless this process has done it recently. An open console thus notices that nobody calls the
 * finalizer any more, even where no process runs between requests.
 */
export async function watchAlertsSometimes(): Promise<void> {
  const last = single("alerts looked for", () => ({ at: Number.NEGATIVE_INFINITY }));
  if (performance.now() - last.at < LOOK_EVERY_SECONDS * 1000) return;
  last.at = performance.now();
  await watchAlerts();
}

/** Delay before the first look, so that the finalizer has run. */
const FIRST_LOOK_MS = 5_000;

/** Looks in each host, with and without a finalizer. `stop` waits for the current look. */
export const startAlertTimer = () => startTimer(FIRST_LOOK_MS, LOOK_EVERY_SECONDS * 1000, watchAlerts);
