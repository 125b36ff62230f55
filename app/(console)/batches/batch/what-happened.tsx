import type { ConsoleBatchDetail, TimelineEntry } from "@/server/batches/list/console-schema";
import { Instant } from "../../../ui/instant";
import { useTimeZone } from "../../../ui/time-zone";

const HAPPENED = {
  created: "Submitted",
  held: "Put on hold",
  released: "Released",
  approved: "Approved",
  claimed: "Being finalized since",
  finalized: "Finalized",
  cancelled: "Cancelled",
  rejected: "Rejected",
} as const satisfies Record<TimelineEntry["event"], string>;

/** The last change of the batch, which was read again before the error is shown. */
export function WhatHappened({ batch }: { batch: ConsoleBatchDetail }) {
  const { zone } = useTimeZone();
  const { event, at, by, reason } = batch.timeline.at(-1)!;
  return (
    <p className="wrap-anywhere">
      {HAPPENED[event]} <Instant at={at} className="tabular-nums" /> ({zone})
      {by && event !== "finalized" && event !== "claimed" && ` by ${by.replace(/^staff:/, "")}`}
      {reason && `: “${reason}”`}
    </p>
  );
}
