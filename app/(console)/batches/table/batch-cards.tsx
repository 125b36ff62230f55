"use client";
import { batchKey } from "@/app/(console)/batch-key";
import { isOpen, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { DueTime, StatusBadge, UnusualMark } from "@/app/(console)/batches/status-badge";
import { useDrawnRows } from "@/app/(console)/batches/use-batch-list";
import { Amount, formatAmount } from "@/app/ui/amount";
import { classNames } from "@/app/ui/class-names";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { Instant } from "@/app/ui/time";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import type { BatchRowsProps } from "./batch-table";
import { RowCheckbox, RowLink } from "./columns";

const CARD_PX = 100;

export default function BatchCards({ batches, asOf, end, selection }: BatchRowsProps) {
  const { scroller, rows: drawn, live } = useDrawnRows(batches, CARD_PX);
  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batches"
      className="min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <ul className="relative" style={{ height: batches.length * CARD_PX }}>
        {drawn.map((index) => {
          const batch = live[index]!;
          return (
            <li
              key={batchKey(batch)}
              className={classNames(
                "absolute inset-x-0 flex items-center gap-2 border-line border-b px-4",
                selection?.has(batch) ? "bg-selected" : "bg-surface",
              )}
              style={{ height: CARD_PX, transform: `translateY(${index * CARD_PX}px)` }}
            >
              {selection && (
                <RowCheckbox
                  label={`Select batch ${batch.id}`}
                  checked={selection.has(batch)}
                  onToggle={() => selection.toggle(index, false)}
                  className="z-10 -ml-2 shrink-0"
                />
              )}
              <Card batch={batch} asOf={asOf} />
            </li>
          );
        })}
      </ul>
      {end}
    </ScrollRegion>
  );
}

function Card({ batch, asOf }: { batch: ConsoleBatch; asOf: string }) {
  return (
    <div className="flex min-w-0 flex-1 flex-col justify-center gap-1">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0 flex-1">
          {/* The link covers the whole card, so that a tap anywhere opens the batch. */}
          <RowLink batch={batch} className="after:absolute after:inset-0" />
        </div>
        <StatusBadge batch={batch} asOf={asOf} compact />
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 items-baseline gap-1 font-medium">
          <span title={formatAmount(batch.points)} className="truncate">
            <Amount value={batch.points} minus={Boolean(batch.reverses)} />
          </span>
          <span className="text-muted">{TYPE_LABELS[batch.pointType]}</span>
          {batch.review && (
            <span className="pl-1">
              <UnusualMark review={batch.review} />
            </span>
          )}
        </span>
        <span className="shrink-0 hint">
          {transfersOf(batch.transferCount)}
          {batch.reverses && ", reversal"}
        </span>
      </div>
      <div className="flex items-center justify-between gap-3 hint">
        <span className="min-w-0 truncate">{batch.contractLabel}</span>
        <span className="shrink-0">
          {isOpen(batch) ? (
            <DueTime batch={batch} asOf={asOf} lead="due " />
          ) : (
            <Instant at={batch.createdAt} />
          )}
        </span>
      </div>
    </div>
  );
}
