import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Layers, Search } from "lucide-react";
import { useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { Amount, counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { later } from "@/app/ui/later";
import { EmptyState, Skeleton } from "@/app/ui/states";
import type { BatchSum } from "@/server/batches/list/count-batches";
import { type FilterParams, toFilters } from "./list-params";
import { batchesOf, TYPE_LABELS, transfersOf } from "./status";
import { TAKEN_BACK } from "./status-badge";
import { useListParams } from "./use-list-params";

const LookedAt = later(() => import("./limited-sort").then((module) => module.LookedAt));
const PartOf = later(() => import("./limited-sort").then((module) => module.PartOf));
const Checklist = later(() => import("@/app/(console)/setup/checklist"));

interface NoBatchesProps {
  /** Whether only the latest batches were searched. */
  limited: boolean;
  /** How many were created since. */
  newer: number;
  refresh: () => void;
}

export default function NoBatches({ limited, newer, refresh }: NoBatchesProps) {
  const { filtered, clearFilters } = useListParams();
  // The first batches replace the page that says there are none.
  useEffect(() => {
    if (newer > 0) refresh();
  });
  if (!filtered)
    return (
      <EmptyState icon={Layers} title="No batches yet">
        A batch is a list of point transfers from one contract. It is pending until it is due, and can be
        cancelled until then. After that, each recipient is credited once.
        <Checklist />
      </EmptyState>
    );
  return (
    <EmptyState icon={Search} title={limited ? "No matches so far" : "No batches match these filters"}>
      {limited
        ? "Narrow the creation time to search older ones."
        : "Remove a filter above, or clear them all."}
      <Button onClick={clearFilters}>Clear filters</Button>
    </EmptyState>
  );
}

const TOTALS_EVERY_MS = 30_000;

/** `isListed`: all that match are in the list. */
type ListTotalsProps = Record<"ready" | "isListed", boolean> & { params: FilterParams };

/** What the filtered batches add up to, per type. The rows do not wait for it. */
export function ListTotals({ params, ready, isListed }: ListTotalsProps) {
  const totals = useQuery(
    useTRPC().console.batches.totals.queryOptions(toFilters(params), {
      enabled: ready,
      refetchInterval: TOTALS_EVERY_MS,
      placeholderData: keepPreviousData,
    }),
  );
  if (totals.isError && !totals.data) {
    return (
      <Line>
        Could not load the totals.{" "}
        <button type="button" onClick={() => void totals.refetch()} className="text-accent underline">
          Try again
        </button>
      </Line>
    );
  }
  if (!totals.data) {
    return (
      <Line>
        <Skeleton className="h-3 w-72" />
      </Line>
    );
  }
  const { sums, isWhole } = totals.data;
  const lookedAt = <LookedAt params={params} />;
  if (sums.length === 0) return isWhole ? null : <Line>No totals. None of {lookedAt} match.</Line>;
  return (
    <section
      aria-label="Totals"
      aria-busy={totals.isPlaceholderData}
      className="flex min-h-5 flex-wrap items-baseline gap-x-6 gap-y-1 px-4 hint aria-busy:opacity-50 md:px-6"
    >
      {!isWhole && <PartOf params={params} isListed={isListed} />}
      {sums.map((sum) => (
        <span
          key={`${sum.pointType} ${sumWords(sum)}`}
          className="whitespace-nowrap tabular-nums max-md:whitespace-normal"
        >
          <span className="font-medium text-text">
            <Amount value={sum.points} /> {TYPE_LABELS[sum.pointType]}
          </span>{" "}
          {sumWords(sum)}
        </span>
      ))}
      {params.recipient && <span>These are whole batches, with all their recipients.</span>}
    </section>
  );
}

function sumWords({ isReversal, status, batches, transfers }: BatchSum): string {
  if (status === null) return `in ${batchesOf(batches)}, ${transfersOf(Number(transfers))}`;
  if (!isReversal) return `cancelled in ${batchesOf(batches)}`;
  return `${TAKEN_BACK[status].toLowerCase()} in ${counted(batches, "reversal", "reversals")}`;
}

const Line = ({ children }: { children: React.ReactNode }) => (
  <p className="flex min-h-5 items-center gap-1 px-4 hint md:px-6">{children}</p>
);
