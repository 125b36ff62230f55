import { clsx } from "clsx";
import { Replace, Undo2 } from "lucide-react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { personName, STATUS_LOOKS, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { ReversalStatus } from "@/app/(console)/batches/status-badge";
import { useStaff } from "@/app/(console)/staff";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Button } from "@/app/ui/button";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ReversalOf } from "@/server/batches/list/console-schema";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { formatDuration } from "@/terms/output-text";
import type { Decision } from "./decision-dialog";
import { EVENTS } from "./event-words";
import { isLeft, isTakingBack, type TakenBack } from "./payout-note";
import { Entry } from "./timeline";

export function StopNote({ batch }: NoteProps) {
  const nowMs = useServerNow();
  const { heldAt, heldBy, holdReason, timeline } = batch;
  const stop = heldAt
    ? { event: "held" as const, by: heldBy, at: heldAt, reason: holdReason }
    : timeline.find(({ event }) => event === "cancelled" || event === "rejected");
  if (!stop) return null;
  const { event, by, at, reason } = stop;
  return (
    <div
      className={clsx(
        "wrap-anywhere rounded-control px-3 py-2 text-table",
        heldAt ? "bg-held-ground text-held" : "bg-cancelled-ground text-cancelled",
      )}
    >
      <p>
        <span className="font-medium">
          {EVENTS[event].label}
          {by && ` by ${personName(by)}`}
          {heldAt && ` ${formatDuration(Math.max(0, (nowMs - Date.parse(at)) / 1000))} ago`}
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

interface NoteProps {
  batch: ConsoleBatchDetail;
}

export function RelatedBatches({ batch }: NoteProps) {
  const { contractAddress, reverses, corrects, correctedBy } = batch;
  const links = [
    ...(reverses ? [[Undo2, "Reversal of", reverses] as const] : []),
    ...(corrects ? [[Replace, "Corrects", corrects] as const] : []),
    ...correctedBy.map((id) => [Replace, "Corrected by", id] as const),
  ];
  return (
    <section
      aria-label="Related batches"
      className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2 text-table"
    >
      {links.map(([Icon, words, id]) => (
        <div key={id} className="flex items-start gap-x-3">
          <Icon size={14} className="mt-[3px] shrink-0 text-muted" />
          <div className="min-w-0 flex-1">
            {words} <BatchIdLink contractAddress={contractAddress} id={id} />
          </div>
        </div>
      ))}
    </section>
  );
}

/** What was or will be taken back of a batch, as entries of its timeline. */
export const TakeBacks = ({ batch }: NoteProps) =>
  batch.reversals.map((one) => (
    <Entry key={one.id} {...one} {...STATUS_LOOKS[one.status]} title={takeBackTitle(one, batch)}>
      <ReversalStatus reversal={one}>
        <BatchIdLink {...batch} id={one.id} />
      </ReversalStatus>
    </Entry>
  ));

function takeBackTitle({ transferCount, points }: ReversalOf, batch: ConsoleBatchDetail) {
  const amount = `${formatAmount(points)} ${TYPE_LABELS[batch.pointType]}`;
  return `Take back of ${formatCount(transferCount)} of ${transfersOf(batch.transferCount)}, ${amount}`;
}

/** Next to "Finalized", which a payout or a batch stays when it is taken back. */
export function TakenBackBadge({ amounts }: { amounts: readonly TakenBack[] }) {
  const isOpen = amounts.some(isTakingBack);
  if (!isOpen && amounts.every(({ takenBack }) => takenBack === "0")) return null;
  const [tone, whole, part] = isOpen
    ? (["pending", "Being taken back", "Partly being taken back"] as const)
    : (["cancelled", "Taken back", "Partly taken back"] as const);
  return <Badge tone={tone} label={amounts.some(isLeft) ? part : whole} />;
}

/** Behind a batch's amount: how much of it. */
export function TakenBackShare({ of, back }: { of: string; back: TakenBack }) {
  const shareOf = (points: string) => `${formatAmount(points)} of ${formatAmount(of)}`;
  return (
    <>
      {back.takenBack !== "0" && `, ${shareOf(back.takenBack)} taken back`}
      {isTakingBack(back) && `, ${shareOf(back.takingBack)} being taken back`}
    </>
  );
}
