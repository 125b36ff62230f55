import { useQuery } from "@tanstack/react-query";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { StatusBadge } from "@/app/(console)/batches/status-badge";
import { useTRPC } from "@/app/data/trpc";
import { Amount, formatAmount, formatCount } from "@/app/ui/amount";
import { Loaded, Skeleton } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { CardBatches } from "@/server/alerts/queue";

/** Why a card's batch is unusual: its total against the contract's earlier ones, and what it repeats. */
export function Evidence({ batches }: { batches: CardBatches }) {
  const { contractAddress, batchId, review } = batches;
  const { earlierTotals } = useTRPC().console.batches;
  // All are older than the batch, so they never change.
  const query = useQuery(earlierTotals.queryOptions({ contractAddress, batchId }, { staleTime: Infinity }));
  // As the sentence above it.
  const repeated = review?.repeats?.batches[0];
  return (
    <div className="grid gap-x-8 gap-y-3 @3xl:grid-cols-2">
      <Loaded query={query} skeleton={<Skeleton className="h-12" />}>
        {(totals) => <Strip batches={batches} totals={totals} />}
      </Loaded>
      {repeated && <Repeated id={repeated.id} contractAddress={contractAddress} />}
    </div>
  );
}

/** The strip is drawn in a box of this width, which the page stretches. */
const WIDTH = 1000;

/** Smallest total first. Floats are for positions only. Screen readers read the amounts instead. */
function Strip({ batches, totals }: { batches: CardBatches; totals: readonly string[] }) {
  const { batchId, payoutId, total: own, pointType } = batches;
  const unit = TYPE_LABELS[pointType];
  if (totals.length === 0)
    return <p className="hint">The contract has no finalized {unit} batch to compare it with.</p>;
  const most = Math.max(Number(own), Number(totals.at(-1)));
  const line = (total: string) => `M${Math.round((Number(total) / most) * WIDTH)} 2V22`;
  const count = formatCount(totals.length);
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="hint">
        {payoutId ? <span className="mono">{batchId}</span> : "Its total"}
        {` against the contract’s last ${count} finalized, up to ${formatAmount(totals.at(-1)!)} ${unit}`}
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} 24`}
        preserveAspectRatio="none"
        className="h-6 w-full overflow-visible"
      >
        <path d={`M0 22H${WIDTH}`} className="stroke-1 stroke-line" vectorEffect="non-scaling-stroke" />
        <path
          d={totals.map(line).join("")}
          className="fill-none stroke-1 stroke-muted opacity-60"
          vectorEffect="non-scaling-stroke"
        />
        <path d={line(own)} className="stroke-3 stroke-danger" vectorEffect="non-scaling-stroke" />
      </svg>
      <p className="sr-only">From the smallest: {totals.map(formatAmount).join(", ")}.</p>
    </figure>
  );
}

function Repeated({ id, contractAddress }: { id: string; contractAddress: string }) {
  const { refresh } = useTRPC().console.batches;
  const query = useQuery(refresh.queryOptions({ keys: [`${contractAddress}/${id}`] }));
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-12 w-full" />}>
      {({ batches: [batch] }) =>
        batch && (
          <p className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-3 text-label tabular-nums">
            <span className="text-muted">Repeats</span>
            <BatchIdLink contractAddress={contractAddress} id={id} />
            <Amount value={batch.points} />
            <Instant at={batch.createdAt} />
            <StatusBadge batch={batch} />
          </p>
        )
      }
    </Loaded>
  );
}
