"use client";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { formatDuration } from "../../../ui/duration";
import { Instant } from "../../../ui/instant";
import { useServerNow } from "../../../ui/server-clock";
import { personName } from "../caller-names";
import { EVENTS } from "./events";

/** Who stopped the batch, when and why. */
export function StopNote({ batch }: { batch: ConsoleBatchDetail }) {
  return batch.status === "CANCELLED" ? <CancelNote batch={batch} /> : <HoldNote batch={batch} />;
}

function CancelNote({ batch }: { batch: ConsoleBatchDetail }) {
  const { event, by, at, reason } = batch.timeline.at(-1)!;
  return (
    <div className="wrap-anywhere rounded-control bg-cancelled-ground px-3 py-2 text-cancelled text-table">
      <p>
        <span className="font-medium">
          {EVENTS[event].label}
          {by && ` by ${personName(by)}`}
        </span>{" "}
        (<Instant at={at} className="whitespace-nowrap tabular-nums" />)
      </p>
      {reason && <p>Reason: {reason}</p>}
    </div>
  );
}

function HoldNote({ batch }: { batch: ConsoleBatchDetail }) {
  const nowMs = useServerNow(batch.now);
  if (batch.status !== "PENDING" || !batch.heldAt || !batch.hold) return null;
  const seconds = Math.max(0, (nowMs - Date.parse(batch.heldAt)) / 1000);
  return (
    <div className="wrap-anywhere rounded-control bg-held-ground px-3 py-2 text-held text-table">
      <p>
        <span className="font-medium">
          Put on hold by {personName(batch.hold.by)} {formatDuration(seconds)} ago
        </span>{" "}
        (<Instant at={batch.heldAt} className="whitespace-nowrap tabular-nums" />)
      </p>
      <p>Reason: {batch.hold.reason}</p>
    </div>
  );
}
