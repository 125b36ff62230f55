import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import type { TimelineEntry } from "@/server/batches/list/console-schema";

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
