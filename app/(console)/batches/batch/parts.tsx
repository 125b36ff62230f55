import Link from "next/link";
import { batchPath } from "@/app/(console)/batches/paths";
import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import { Skeleton } from "@/app/ui/skeleton";
import type { TimelineEntry } from "@/server/batches/list/console-schema";

interface BatchIdLinkProps {
  contractAddress: string;
  id: string;
}

export function BatchIdLink(batch: BatchIdLinkProps) {
  return (
    <Link
      href={batchPath(batch)}
      className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
    >
      {batch.id}
    </Link>
  );
}

const LINES = [1, 2, 3, 4, 5, 6];

export function BatchSkeleton() {
  return (
    <div role="status" aria-label="Loading batch" className="flex flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-4 w-40" />
      </div>
      <div className="flex flex-col gap-3">
        {LINES.map((line) => (
          <Skeleton key={line} className="h-4 w-full max-w-[520px]" />
        ))}
      </div>
      <Skeleton className="h-64 w-full" />
    </div>
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
