"use client";
import type { ReceivedTransfer } from "@/server/recipients/console-schema";
import { formatDuration } from "../../ui/duration";
import { Instant } from "../../ui/instant";
import { useServerNow } from "../../ui/server-clock";
import { isOverdue } from "../batches/status";

/** One sentence on why a transfer is not credited yet, or never will be. Nothing for a credited one. */
export function WhyNotYet({ transfer, asOf }: { transfer: ReceivedTransfer; asOf: string }) {
  const nowMs = useServerNow(asOf);
  const { status, heldAt, heldBy, holdReason, cancelledAt, cancelledBy, cancelReason } = transfer;
  if (status === "CANCELLED")
    return <Decision what="Cancelled" at={cancelledAt} by={cancelledBy} reason={cancelReason} />;
  if (heldAt) return <Decision what="On hold since" at={heldAt} by={heldBy} reason={holdReason} />;
  return whyOpen(transfer, nowMs);
}

interface DecisionProps {
  what: string;
  at: string | null;
  by: string | null;
  reason: string | null;
}

const Decision = ({ what, at, by, reason }: DecisionProps) => (
  <>
    {what}
    {at && (
      <>
        {" "}
        <Instant at={at} className="tabular-nums" />
      </>
    )}
    {by && ` by ${by.replace(/^staff:/, "")}`}
    {reason && `: ${reason}`}
  </>
);

type Open = Pick<ReceivedTransfer, "status" | "finalizeAt" | "heldAt" | "awaitsApproval">;

/** Why an open transfer that is not on hold is not credited yet. Null for any other transfer. */
export function whyOpen(transfer: Open, nowMs: number): string | null {
  if (transfer.heldAt || (transfer.status !== "PENDING" && transfer.status !== "FINALIZING")) return null;
  if (transfer.awaitsApproval) return "Awaits approval";
  const seconds = (nowMs - Date.parse(transfer.finalizeAt)) / 1000;
  const overdue = isOverdue(transfer, nowMs);
  if (transfer.status === "FINALIZING")
    return overdue ? `Being finalized, overdue by ${formatDuration(seconds)}` : "Being finalized";
  if (overdue) return `Overdue by ${formatDuration(seconds)}`;
  return seconds < 0 ? `Due in ${formatDuration(Math.ceil(-seconds))}` : "Due now";
}
