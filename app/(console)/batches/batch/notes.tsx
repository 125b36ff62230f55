import { type LucideIcon, Replace, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { ReversalStatus } from "@/app/(console)/batches/status-badge";
import { useStaff } from "@/app/(console)/staff";
import { Amount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { formatDuration } from "@/terms/output-text";
import type { Decision } from "./decision-dialog";
import { EVENTS } from "./event-words";

export function StopNote({ batch }: NoteProps) {
  const nowMs = useServerNow();
  const { status, heldAt, hold, timeline } = batch;
  const isHeld = status === "PENDING" && heldAt && hold;
  const stop = isHeld
    ? { ...hold, event: "held" as const, at: heldAt }
    : timeline.find(({ event }) => event === "cancelled" || event === "rejected");
  if (!stop) return null;
  const { event, by, at, reason } = stop;
  return (
    <div
      className={classNames(
        "wrap-anywhere rounded-control px-3 py-2 text-table",
        isHeld ? "bg-held-ground text-held" : "bg-cancelled-ground text-cancelled",
      )}
    >
      <p>
        <span className="font-medium">
          {EVENTS[event].label}
          {by && ` by ${personName(by)}`}
          {isHeld && ` ${formatDuration(Math.max(0, (nowMs - Date.parse(at)) / 1000))} ago`}
        </span>{" "}
        (<Instant at={at} className="whitespace-nowrap" />)
      </p>
      {reason && <p>Reason: {reason}</p>}
    </div>
  );
}

export function ApprovalNote({ batch, ask }: NoteProps & { ask: (decision: Decision) => void }) {
  const { approval } = batch;
  const { role } = useStaff();
  if (!approval) return null;
  return (
    <div className="note wrap-anywhere gap-y-3 bg-held-ground text-held">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">Awaiting approval</p>
        <p>
          {approval.why} {approval.obstacle ?? approval.who}
        </p>
      </div>
      {approval.obstacle === null && role !== "viewer" && (
        <span className="flex gap-2">
          <Button onClick={() => ask("reject")}>Reject…</Button>
          <Button variant="primary" onClick={() => ask("approve")}>
            Approve…
          </Button>
        </span>
      )}
    </div>
  );
}

const SHOWN_MAX = 20;

interface NoteProps {
  batch: ConsoleBatchDetail;
}

export function RelatedBatches({ batch }: NoteProps) {
  const { contractAddress, pointType, reverses, reversals, corrects, correctedBy } = batch;
  const hidden = reversals.length - SHOWN_MAX;
  return (
    <section
      aria-label="Related batches"
      className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2 text-table"
    >
      {reverses && (
        <Line icon={Undo2}>
          Reversal of <BatchIdLink contractAddress={contractAddress} id={reverses} />
        </Line>
      )}
      {reversals.slice(0, SHOWN_MAX).map((reversal) => (
        <Line key={reversal.id} icon={Undo2}>
          <Amount value={reversal.points} /> {TYPE_LABELS[pointType]}:{" "}
          <ReversalStatus reversal={reversal}>
            <BatchIdLink contractAddress={contractAddress} id={reversal.id} />
          </ReversalStatus>
        </Line>
      ))}
      {hidden > 0 && <Line icon={Undo2}>and {hidden} more</Line>}
      {corrects && (
        <Line icon={Replace}>
          Corrects <BatchIdLink contractAddress={contractAddress} id={corrects} />
        </Line>
      )}
      {correctedBy.map((id) => (
        <Line key={id} icon={Replace}>
          Corrected by <BatchIdLink contractAddress={contractAddress} id={id} />
        </Line>
      ))}
    </section>
  );
}

const Line = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <div className="flex items-start gap-x-3">
    <Icon size={14} className="mt-[3px] shrink-0 text-muted" />
    <div className="min-w-0 flex-1">{children}</div>
  </div>
);
