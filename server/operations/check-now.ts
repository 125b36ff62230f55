import type { ServiceContext } from "../kernel/context";
import { log } from "../kernel/log";
import { selfCheck } from "./self-check";

/** A person waits so long for the result; a longer check goes on, and the page shows its result when it is there. */
const WAIT_SECONDS = 15;
const SECONDS_MAX = 900;

/** `busy`: another check runs already. `running`: it goes on in the background. */
export type CheckNowReply = { state: "done"; ok: boolean; findings: number } | { state: "busy" | "running" };

/** Checks the whole ledger for a person, with an audit row beside the result. */
export async function checkNow(ctx: ServiceContext): Promise<CheckNowReply> {
  const { actor: startedBy, requestId } = ctx;
  const check = selfCheck({ reach: "whole", startedBy, secondsMax: SECONDS_MAX, requestId }).then(
    (report): CheckNowReply =>
      report ? { state: "done", ok: report.ok, findings: report.findings.length } : { state: "busy" },
  );
  // Its failure after the wait is stored and shown; here it only must not be an unhandled one.
  check.catch((error) => log().debug({ error }, "a check that a person started failed"));
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
