import type { ServiceContext } from "../kernel/context";
import { log } from "../kernel/log";
import { selfCheck } from "./self-check";

/** How long the request waits for the result. A longer check continues in the background, and the page shows its result later. */
const WAIT_SECONDS = 15;
const SECONDS_MAX = 900;

/** `busy`: another check is already running. `running`: this one continues in the background. */
export type CheckNowReply = { state: "done"; ok: boolean; findings: number } | { state: "busy" | "running" };

/** Checks the whole ledger on request, with an audit entry next to the result. */
export async function checkNow(ctx: ServiceContext): Promise<CheckNowReply> {
  const { actor: startedBy, requestId } = ctx;
  const check = selfCheck({ reach: "whole", startedBy, secondsMax: SECONDS_MAX, requestId }).then(
    (report): CheckNowReply =>
      report ? { state: "done", ok: report.ok, findings: report.findings.length } : { state: "busy" },
  );
  // A failure after the wait is stored and shown elsewhere. This only prevents an unhandled rejection.
  check.catch((error) => log().debug({ error }, "ledger check started from the console failed"));
  let timer: NodeJS.Timeout | undefined;
  const wait = new Promise<CheckNowReply>((resolve) => {
    timer = setTimeout(() => resolve({ state: "running" }), WAIT_SECONDS * 1000);
  });
  try {
    return await Promise.race([check, wait]);
  } finally {
    clearTimeout(timer);
  }
}
