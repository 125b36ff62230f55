import { Info } from "lucide-react";
import { formatCount } from "@/app/ui/amount";
import { latestOf } from "@/server/batches/list/plan";
import { COUNT_MAX } from "@/terms/filters";
import { type FilterParams, toFilters } from "./list-params";

const MOST = formatCount(COUNT_MAX);

/** What a list or total that stops at `COUNT_MAX` batches looked at. */
export function LookedAt({ params }: { params: FilterParams }): string {
  if (params.recipient) return `the newest ${MOST} batches that pay this recipient`;
  if (params.review) return `the newest ${MOST} unusual batches`;
  const { time } = latestOf(toFilters(params));
  return time === "finalizedAt" ? `the last ${MOST} finalized` : `the newest ${MOST} batches`;
}

/** What totals that are not whole add up. The list may be complete all the same. */
export function PartOf({ params, isListed }: { params: FilterParams; isListed: boolean }): string {
  const { compared } = latestOf(toFilters(params));
  const part = `Totals of ${compared ? "the matches among " : ""}${LookedAt({ params })} only`;
  return isListed ? `${part}, although the list is complete:` : `${part}:`;
}

/** Why a sorted list lacks batches, and how to get them. */
export function LimitedSort({ params }: { params: FilterParams }) {
  const { time, compared } = latestOf(toFilters(params));
  return (
    <p role="status" className="flex items-center gap-1.5 px-4 hint md:px-6">
      <Info size={13} className="shrink-0" />
      <span>
        Only <LookedAt params={params} /> are {compared ? "searched and sorted" : "sorted and shown"}. Others
        may match too: add filters, or narrow the creation time. The export has every match, sorted by{" "}
        {time === "finalizedAt" ? "finalized" : "creation"} time.
      </span>
    </p>
  );
}
