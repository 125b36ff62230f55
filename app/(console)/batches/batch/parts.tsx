"use client";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { batchPath } from "@/app/(console)/batches/paths";
import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import type { TimelineEntry } from "@/server/batches/list/console-schema";
import type { DifferencesProps } from "./differences";

const Compared = dynamic(() => import("./differences").then((module) => module.Compared), { ssr: false });

export function BatchIdLink(batch: { contractAddress: string; id: string }) {
  return (
    <Link
      href={batchPath(batch)}
      className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
    >
      {batch.id}
    </Link>
  );
}

/** A button that lists the recipients in which the batch differs from `withId`. */
export function Differences({ batchKey, withId }: DifferencesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="ml-2 whitespace-nowrap rounded-badge text-accent text-label underline-offset-2 hover:underline"
      >
        {isOpen ? "Hide differences" : "View differences"}
      </button>
      {isOpen && <Compared batchKey={batchKey} withId={withId} />}
    </>
  );
}

const { PENDING, HELD, FINALIZING, FINALIZED, CANCELLED } = STATUS_LOOKS;
const RETURNED = ["points returned", "points left with the recipients"] as const;

interface EventWords {
  label: string;
  look: (typeof STATUS_LOOKS)[keyof typeof STATUS_LOOKS];
  /** What it means for the points of a batch, and for those of a reversal. */
  effect?: readonly [string, ofReversal: string];
}

export const EVENTS: Record<TimelineEntry["event"], EventWords> = {
  created: { label: "Submitted", look: PENDING },
  held: { label: "Put on hold", look: HELD },
  released: { label: "Released", look: PENDING },
  approved: { label: "Approved", look: FINALIZED },
  claimed: { label: "Claimed by a finalizer", look: FINALIZING },
  finalized: { label: "Finalized", look: FINALIZED, effect: ["recipients credited", "points taken back"] },
  cancelled: { label: "Cancelled", look: CANCELLED, effect: RETURNED },
  rejected: { label: "Rejected", look: CANCELLED, effect: RETURNED },
};
