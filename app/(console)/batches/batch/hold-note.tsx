"use client";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { formatDuration } from "../../../ui/duration";
import { Instant } from "../../../ui/instant";
import { useServerNow } from "../../../ui/server-clock";
import { personName } from "../caller-names";

export function HoldNote({ batch }: { batch: ConsoleBatchDetail }) {
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
