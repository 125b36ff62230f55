"use client";
import { StickyNote, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { BatchNote, ConsoleBatchDetail, TimelineEntry } from "@/server/batches/list/console-schema";
import { Button } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { Instant } from "../../../ui/instant";
import { useServerNow } from "../../../ui/server-clock";
import { useStaff } from "../../staff";
import { isOpen, STATUS_LOOKS } from "../status";
import { Countdown, WillBeFinalized } from "../status-badge";
import { Section } from "./section";

const AddNoteDialog = dynamic(() => import("./note-dialogs").then((module) => module.AddNoteDialog), {
  ssr: false,
});
const DeleteNoteDialog = dynamic(() => import("./note-dialogs").then((module) => module.DeleteNoteDialog), {
  ssr: false,
});

const EVENTS = {
  created: { label: "Submitted", look: STATUS_LOOKS.PENDING, color: "text-pending" },
  held: { label: "Put on hold", look: STATUS_LOOKS.HELD, color: "text-held" },
  released: { label: "Released", look: STATUS_LOOKS.PENDING, color: "text-pending" },
  approved: { label: "Approved", look: STATUS_LOOKS.FINALIZED, color: "text-finalized" },
  claimed: { label: "Claimed by a finalizer", look: STATUS_LOOKS.FINALIZING, color: "text-finalizing" },
  finalized: {
    label: "Finalized, recipients credited",
    look: STATUS_LOOKS.FINALIZED,
    color: "text-finalized",
  },
  cancelled: { label: "Cancelled, points returned", look: STATUS_LOOKS.CANCELLED, color: "text-cancelled" },
  rejected: { label: "Rejected, points returned", look: STATUS_LOOKS.CANCELLED, color: "text-cancelled" },
} as const satisfies Record<TimelineEntry["event"], unknown>;

/** A reversal takes points from its recipients. */
const OF_REVERSAL: Partial<Record<TimelineEntry["event"], string>> = {
  finalized: "Finalized, points taken back",
  cancelled: "Cancelled, points left with the recipients",
  rejected: "Rejected, points left with the recipients",
};

export function Timeline({ batch }: { batch: ConsoleBatchDetail }) {
  const { email, role } = useStaff();
  const [open, setOpen] = useState<"add" | BatchNote | null>(null);
  const batchKey = { contractAddress: batch.contractAddress, batchId: batch.id };
  const close = () => setOpen(null);
  const entries = [...batch.timeline, ...batch.notes].toSorted((one, other) =>
    one.at.localeCompare(other.at),
  );
  return (
    <Section
      title="Timeline"
      actions={
        role !== "viewer" && (
          <Button size="small" onClick={() => setOpen("add")}>
            Add note…
          </Button>
        )
      }
    >
      <ol className="flex flex-col rounded-card border border-line bg-surface px-4 py-3">
        {entries.map((entry) =>
          "event" in entry ? (
            <Entry
              key={`${entry.event}${entry.at}`}
              entry={entry}
              isReversal={batch.reverses !== undefined}
            />
          ) : (
            <Note
              key={entry.id}
              note={entry}
              onDelete={role !== "viewer" && entry.by === `staff:${email}` ? () => setOpen(entry) : undefined}
            />
          ),
        )}
        {isOpen(batch) && (
          <li className="flex gap-3 text-table">
            <span
              aria-hidden
              className="mx-[3px] mt-1.5 size-2 shrink-0 rounded-full border border-input-line"
            />
            <span className="text-muted">
              <WhatIsNext batch={batch} />
            </span>
          </li>
        )}
      </ol>
      {open === "add" && <AddNoteDialog batchKey={batchKey} close={close} />}
      {open !== null && open !== "add" && <DeleteNoteDialog batchKey={batchKey} note={open} close={close} />}
    </Section>
  );
}

function WhatIsNext({ batch }: { batch: ConsoleBatchDetail }) {
  if (batch.status === "FINALIZING") return <ClaimStatus batch={batch} />;
  if (batch.heldAt)
    return (
      <>
        Currently <Countdown batch={batch} asOf={batch.now} />
      </>
    );
  if (batch.awaitsApproval) return <>Not finalized until another person approves it.</>;
  return (
    <>
      Will be finalized <WillBeFinalized batch={batch} asOf={batch.now} />
    </>
  );
}

/** After the lease has expired, any finalizer may take over the batch. */
function ClaimStatus({ batch: { leaseUntil, now } }: { batch: ConsoleBatchDetail }) {
  const nowMs = useServerNow(now);
  if (!leaseUntil) return <>Finalizing.</>;
  const end = <Instant at={leaseUntil} className="tabular-nums" />;
  if (Date.parse(leaseUntil) <= nowMs)
    return <>The finalizer did not finish by {end}. The next finalizer run takes over.</>;
  return <>Finalizing. If the finalizer does not finish by {end}, another one takes over.</>;
}

function Entry({ entry, isReversal }: { entry: TimelineEntry; isReversal: boolean }) {
  const { look, color } = EVENTS[entry.event];
  const label = (isReversal && OF_REVERSAL[entry.event]) || EVENTS[entry.event].label;
  return (
    <li className="relative flex gap-3 pb-4 text-table last:pb-0">
      <span
        aria-hidden
        className="absolute top-5 bottom-0 left-[6.5px] w-px bg-line in-[li:last-child]:hidden"
      />
      <look.icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{label}</span>
          <Instant at={entry.at} className="text-muted tabular-nums" />
        </div>
        {entry.reason && <p className="break-words">“{entry.reason}”</p>}
        <div className="flex flex-wrap items-center gap-x-3 text-label text-muted">
          {entry.by && <span className="break-all">{entry.by}</span>}
          {entry.requestId && (
            <span className="flex min-w-0 items-center gap-1">
              <span className="shrink-0">Request ID</span>
              <span className="truncate font-mono">{entry.requestId}</span>
              <CopyButton value={entry.requestId} what="request ID" />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}

function Note({ note, onDelete }: { note: BatchNote; onDelete: (() => void) | undefined }) {
  const author = note.by.replace(/^staff:/, "");
  return (
    <li className="relative flex gap-3 pb-4 text-table last:pb-0">
      <span
        aria-hidden
        className="absolute top-5 bottom-0 left-[6.5px] w-px bg-line in-[li:last-child]:hidden"
      />
      <StickyNote aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="break-all font-medium">Note by {author}</span>
          <Instant at={note.at} className="text-muted tabular-nums" />
        </div>
        <div className="flex items-start justify-between gap-2">
          <p className="wrap-anywhere min-w-0 whitespace-pre-wrap">{note.text}</p>
          {onDelete && (
            <Button
              variant="ghost"
              size="icon"
              className="size-6! shrink-0"
              aria-label="Delete note"
              onClick={onDelete}
            >
              <Trash2 aria-hidden size={13} />
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
