"use client";
import { PayoutBadge } from "@/app/(console)/batches/payout/payout-badge";
import { isOpen, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { DueTime, StatusBadge, UnusualMark } from "@/app/(console)/batches/status-badge";
import { useDrawnRows } from "@/app/(console)/batches/use-batch-list";
import { Amount, formatAmount } from "@/app/ui/amount";
import { classNames } from "@/app/ui/class-names";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { Instant } from "@/app/ui/time";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import type { BatchRowsProps } from "./batch-table";
import { FoldButton, PayoutLink, RowCheckbox, RowLink, shownBatch } from "./columns";
import type { Line } from "./lines";

const CARD_PX = 100;

export default function BatchCards({ lines, fold, asOf, end, selection }: BatchRowsProps) {
  const { scroller, rows: drawn, live } = useDrawnRows(lines, CARD_PX);
  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batches"
      className="min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <ul className="relative" style={{ height: lines.length * CARD_PX }}>
        {drawn.map((index) => {
          const line = lines[index]!;
          const batch = shownBatch(line, live[index]!);
          return (
            <li
              key={line.key}
              className={classNames(
                "absolute inset-x-0 flex items-center gap-2 border-line border-b px-4",
                selection?.has(line) ? "bg-selected" : "bg-surface",
                line.isPart && "pl-10",
              )}
              style={{ height: CARD_PX, transform: `translateY(${index * CARD_PX}px)` }}
            >
              {selection && (
                <RowCheckbox
                  label={line.isPayout ? `Select ${batch.payout?.name}` : `Select batch ${batch.id}`}
                  checked={selection.has(line)}
                  onToggle={() => selection.toggle(index, false)}
                  className="z-10 -ml-2 shrink-0"
                />
              )}
              <Card line={line} batch={batch} asOf={asOf} />
              {line.isPayout && <FoldButton line={line} fold={fold} className="z-10 size-10!" />}
            </li>
          );
        })}
      </ul>
      {end}
    </ScrollRegion>
  );
}

interface CardProps {
  line: Line;
  batch: ConsoleBatch;
  asOf: string;
}

function Card({ line, batch, asOf }: CardProps) {
  return (
    <div className="flex min-w-0 flex-1 flex-col justify-center gap-1">
      <div className="flex items-center justify-between gap-3">
        <div className="flex min-w-0 flex-1 items-center gap-1">
          {/* The link covers the whole card, so that a tap anywhere opens the batch. */}
          {line.isPayout ? (
            <PayoutLink line={line} className="min-w-0 truncate after:absolute after:inset-0" />
          ) : (
            <RowLink batch={batch} className="min-w-0 flex-1 after:absolute after:inset-0" />
          )}
        </div>
        {line.isPayout ? (
          <PayoutBadge payout={batch.payout!} asOf={asOf} />
        ) : (
          <StatusBadge batch={batch} asOf={asOf} compact />
        )}
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 items-baseline gap-1 font-medium">
          <span title={formatAmount(batch.points)} className="truncate">
            <Amount value={batch.points} minus={Boolean(batch.reverses)} />
          </span>
          <span className="text-muted">{TYPE_LABELS[batch.pointType]}</span>
          {batch.flag && (
            <span className="shrink-[999] pl-1">
              <UnusualMark flag={batch.flag} compact />
            </span>
          )}
        </span>
        <span className="shrink-0 hint">
          {transfersOf(batch.transferCount)}
          {batch.reverses && ", reversal"}
        </span>
      </div>
      <div className="flex items-center justify-between gap-3 hint">
        <span className="min-w-0 truncate">
          {batch.contractLabel}
          {batch.holdReason && ` · ${batch.holdReason}`}
        </span>
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
