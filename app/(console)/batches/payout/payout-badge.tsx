import { isOverdue, STATUS_LOOKS } from "@/app/(console)/batches/status";
import { formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { useServerNow } from "@/app/ui/time";
import type { PayoutOfBatch } from "@/server/batches/list/console-schema";
import type { PayoutSource } from "@/server/payouts/schema";

type PayoutFigures = Pick<
  PayoutOfBatch,
  "stored" | "isWhole" | "partCount" | "storedParts" | "counts" | "firstDueAt" | "isShort"
>;

/** How many batches of its file are not stored. Those of `/v1` have no file. */
export const missingOf = ({ storedParts, partCount }: Pick<PayoutSource, "storedParts" | "partCount">) =>
  partCount === null ? 0 : partCount - storedParts;

/** Whether its figures are those of a part: others are not submitted yet, or are more than a list reads. */
export const isPartial = (payout: Pick<PayoutOfBatch, "storedParts" | "partCount" | "isWhole">) =>
  !payout.isWhole || missingOf(payout) > 0;

/** How many batches of it there are, or that there are more than a list reads. */
export const storedCount = ({ stored, isWhole }: Pick<PayoutOfBatch, "stored" | "isWhole">) =>
  isWhole ? formatCount(stored) : `${formatCount(stored - 1)}+`;

export function PayoutBadge({ payout }: { payout: PayoutFigures }) {
  return <Badge {...payoutLook(payout, useServerNow())} />;
}

/** The state of a payout, as a badge shows it: what stops it before what it waits for. */
export function payoutLook(payout: PayoutFigures, nowMs: number) {
  const { stored, isWhole, counts, firstDueAt, isShort } = payout;
  const { pending, onHold, awaitingApproval, finalizing, finalized, cancelled } = counts;
  const { PENDING, FINALIZING, FINALIZED, CANCELLED, OVERDUE, HELD, AWAITING_APPROVAL } = STATUS_LOOKS;
  const share = (count: number, of: number) => `${formatCount(count)} of ${formatCount(of)}`;
  const held = onHold < stored - cancelled ? { ...HELD, label: "Partly on hold" } : HELD;
  if (!isWhole) {
    // What is true of some of them is true of the payout. What is true of all that were read may not be.
    if (awaitingApproval > 0) return AWAITING_APPROVAL;
    if (onHold > 0) return held;
    return { tone: "cancelled" as const, label: `${storedCount(payout)} batches` };
  }
  if (cancelled === stored) return CANCELLED;
  if (missingOf(payout) > 0)
    return { ...HELD, label: `${share(payout.storedParts, payout.partCount!)} submitted` };
  if (awaitingApproval > 0) return AWAITING_APPROVAL;
  if (onHold > 0) return held;
  if (finalized + finalizing > 0 && pending + finalizing > 0)
    return {
      ...FINALIZING,
      label: `${share(finalized, stored - cancelled)} finalized`,
      spin: finalizing > 0,
    };
  if (pending > 0) return firstDueAt && isOverdue({ finalizeAt: firstDueAt }, nowMs) ? OVERDUE : PENDING;
  return isShort ? { ...CANCELLED, label: "Partly cancelled" } : FINALIZED;
}
