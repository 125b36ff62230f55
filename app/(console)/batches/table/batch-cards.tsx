"use client";
import { useRef } from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { Amount, formatAmount } from "../../../ui/amount";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { ScrollRegion } from "../../../ui/scroll-region";
import { useRowWindow } from "../../../ui/use-row-window";
import { batchKey } from "../list-params";
import { isOpen, TYPE_LABELS } from "../status";
import { Countdown, StatusBadge } from "../status-badge";
import { useLiveRows } from "../use-live-rows";
import { BatchLink } from "./batch-link";

const CARD_PX = 100;

interface BatchCardsProps {
  batches: ConsoleBatch[];
  asOf: string;
  end: React.ReactNode;
}

export function BatchCards({ batches, asOf, end }: BatchCardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows: drawn } = useRowWindow(scroller, batches.length, CARD_PX);
  const live = useLiveRows(batches, drawn[0] ?? 0, drawn.at(-1) ?? 0);
  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batches"
      className="min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <ul className="relative" style={{ height: batches.length * CARD_PX }}>
        {drawn.map((index) => {
          const batch = live[index];
          if (!batch) return null;
          return (
            <li
              key={batchKey(batch)}
              className="absolute inset-x-0 flex flex-col justify-center gap-1 border-line border-b bg-surface px-4"
              style={{ height: CARD_PX, transform: `translateY(${index * CARD_PX}px)` }}
            >
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
    <>
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0 flex-1">
          {/* The link covers the whole card, so that a tap anywhere opens the batch. */}
          <BatchLink batch={batch} className="after:absolute after:inset-0" />
        </div>
        <StatusBadge batch={batch} asOf={asOf} compact />
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 gap-1 font-medium">
          <span title={formatAmount(batch.points)} className="truncate">
            <Amount value={batch.points} />
          </span>
          <span className="text-muted">{TYPE_LABELS[batch.pointType]}</span>
        </span>
        <span className="shrink-0 text-label text-muted">
          <Amount value={String(batch.transferCount)} />{" "}
          {batch.transferCount === 1 ? "transfer" : "transfers"}
        </span>
      </div>
      <div className="flex items-center justify-between gap-3 text-label text-muted">
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="truncate">{batch.contractLabel}</span>
          <HashText value={batch.contractAddress} what="contract address" copy={false} className="shrink-0" />
        </span>
        <span className="shrink-0">
          {isOpen(batch) ? <Countdown batch={batch} asOf={asOf} /> : <Instant at={batch.createdAt} />}
        </span>
      </div>
    </>
  );
}
