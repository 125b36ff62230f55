"use client";
import type { ReceivedTransfer } from "@/server/recipients/console-schema";
import { Instant } from "../../ui/instant";
import { useServerNow } from "../../ui/server-clock";
import { whyOpen } from "./why-words";

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
