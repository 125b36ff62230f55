import { single } from "@/server/kernel/process";
import type { ServiceContext } from "../kernel/context";
import { log } from "../kernel/log";
import type { RequestContext } from "../kernel/trpc-context";
import { readSelfCheck } from "./last-check";
import { selfCheck } from "./self-check";

const SECONDS_MAX = 900;

export interface CheckNowReply {
  /** Another check is already running, so none was started. */
  isBusy: boolean;
  /** When the last check before this one finished. The result of this one is the first that finished at another time. */
  lastFinishedAt: string | null;
}

/** Starts a check of the whole ledger, with an audit entry next to its result, and does not wait for it. */
export async function checkNow(ctx: ServiceContext & Pick<RequestContext, "later">): Promise<CheckNowReply> {
  const current = single("check now", () => ({ isRunning: false }));
  const { isRunning, last } = await readSelfCheck(ctx);
  const isBusy = isRunning || current.isRunning;
  if (!isBusy) {
    current.isRunning = true;
    const { actor: startedBy, requestId } = ctx;
    const later = ctx.later ?? ((work) => void work());
    later(async () => {
      try {
        await selfCheck({ reach: "whole", startedBy, secondsMax: SECONDS_MAX, requestId });
      } catch (error) {
        // It is stored and shown as a check that did not finish.
        log().debug({ error }, "ledger check started from the console failed");
      } finally {
        current.isRunning = false;
      }
    });
  }
  return { isBusy, lastFinishedAt: last?.finishedAt ?? null };
}
