import type { ReceivedTransfer } from "@/server/recipients/console-schema";
import { formatDuration } from "../../ui/duration";
import { isOverdue } from "../batches/status";

type Open = Pick<ReceivedTransfer, "status" | "finalizeAt" | "heldAt" | "awaitsApproval">;

/** Why an open transfer that nobody stopped is not credited yet; null for any other. */
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
