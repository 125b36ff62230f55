import { formatAmount } from "../../../ui/amount";

/** A bar with its numbers, which are its name too. */
export function ProgressBar({ worked, total }: { worked: number; total: number }) {
  const words = `${formatAmount(String(worked))} of ${formatAmount(String(total))}`;
  return (
    <div className="flex items-center gap-3 text-table">
      <div
        role="progressbar"
        aria-label="Batches worked on"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={worked}
        aria-valuetext={words}
        className="h-2 min-w-24 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-150"
          style={{ width: `${total === 0 ? 100 : (100 * worked) / total}%` }}
        />
      </div>
      <span className="shrink-0 tabular-nums">{words}</span>
    </div>
  );
}
