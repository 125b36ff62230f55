"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/data/trpc";
import { Amount, counted, formatAmount, formatCount } from "@/app/ui/amount";
import { classNames } from "@/app/ui/class-names";
import { Skeleton } from "@/app/ui/states";
import type { BatchTotals } from "@/server/batches/list/console-schema";
import { COUNT_MAX, rangedTime } from "@/server/batches/list/filters";
import { type FilterParams, type ListParams, toFilters } from "./list-params";
import { batchesOf, TYPE_LABELS } from "./status";

const TOTALS_EVERY_MS = 30_000;

/** What the filtered batches add up to, per type; all batches would be more than are added up. Loaded once the rows are there, which do not wait for this. */
export function ListTotals({ params, ready }: { params: ListParams; ready: boolean }) {
  const trpc = useTRPC();
  const totals = useQuery(
    trpc.console.batches.totals.queryOptions(toFilters(params), {
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
  const { types, isWhole } = totals.data;
  if (types.length === 0) return isWhole ? null : <Line>No totals. None of {lookedAt(params)} match.</Line>;
  return (
    <section
      aria-label="Totals"
      aria-busy={totals.isPlaceholderData}
      className={classNames(
        "flex min-h-5 flex-wrap items-baseline gap-x-6 gap-y-1 px-4 text-label text-muted md:px-6",
        totals.isPlaceholderData && "opacity-50",
      )}
    >
      {!isWhole && <span>Totals of {lookedAt(params)} only:</span>}
      {types.map((type) => (
        <TypeTotals key={type.pointType} totals={type} />
      ))}
    </section>
  );
}

/** Payments, then reversals by what they did. Those that were cancelled moved no points. */
function TypeTotals({ totals }: { totals: BatchTotals["types"][number] }) {
  const { batches, transfers, points, reversals, takenBack, openReversals, takingBack } = totals;
  const parts = [
    {
      amount: points,
      words: `in ${batchesOf(batches)}, ${formatAmount(transfers)} ${transfers === "1" ? "transfer" : "transfers"}`,
      count: batches,
    },
    {
      amount: takenBack,
      words: `taken back in ${counted(reversals, "reversal", "reversals")}`,
      count: reversals,
    },
    {
      amount: takingBack,
      words: `to be taken back in ${counted(openReversals, "pending reversal", "pending reversals")}`,
      count: openReversals,
    },
  ].filter(({ count }, at) => count > 0 || (at === 0 && reversals + openReversals === 0));
  return (
    <span className="whitespace-nowrap tabular-nums max-md:whitespace-normal">
      {parts.map(({ amount, words }, at) => (
        <span key={words}>
          {at > 0 && "; "}
          <span className="font-medium text-text">
            <Amount value={amount} /> {TYPE_LABELS[totals.pointType]}
          </span>{" "}
          {words}
        </span>
      ))}
    </span>
  );
}

const Line = ({ children }: { children: React.ReactNode }) => (
  <p className="flex min-h-5 items-center gap-1 px-4 text-label text-muted md:px-6">{children}</p>
);

const MOST = formatCount(COUNT_MAX);

type Chosen = Partial<FilterParams>;

/** What a list or total that stops at `COUNT_MAX` batches looked at. */
export function lookedAt(params: Chosen): string {
  if (params.recipient) return `the newest ${MOST} batches that pay this recipient`;
  if (params.review) return `the newest ${MOST} unusual batches`;
  return {
    createdAt: `the newest ${MOST}`,
    finalizeAt: `the ${MOST} due last`,
    finalizedAt: `the last ${MOST} finalized`,
  }[rangedTime(toFilters(params))];
}

const EXPORTED_BY = { createdAt: "creation", finalizeAt: "due", finalizedAt: "finalized" } as const;

/** Why a sorted list lacks batches, and how to get them. */
export const limitedSort = (params: Chosen): string =>
  `Only ${lookedAt(params)} are sorted and shown. Others may match too: add filters, or narrow the creation time. The export has every match, sorted by ${EXPORTED_BY[rangedTime(toFilters(params))]} time.`;
