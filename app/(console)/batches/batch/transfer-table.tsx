"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type CSSProperties, useMemo, useRef } from "react";
import type { ConsoleTransfer } from "@/server/batches/list/console-schema";
import type { PointType } from "@/server/kernel/values/point-types";
import { Amount, fractionDigits } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { findLookalikes, HashText } from "../../../ui/hash-text";
import { ScrollRegion } from "../../../ui/scroll-region";
import { useRowWindow } from "../../../ui/use-row-window";
import { recipientPath } from "../../contracts/paths";
import { TYPE_LABELS } from "../status";
import type { TransferSort } from "./sort-transfers";

const ROW_PX = 36;
const ROWS_SHOWN_MAX = 12;

interface TransferTableProps {
  transfers: ConsoleTransfer[];
  sort: TransferSort;
  onSort: (sort: TransferSort) => void;
  pointType: PointType;
}

export function TransferTable({ transfers, sort, onSort, pointType }: TransferTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const { rows: drawn, before, after } = useRowWindow(scroller, transfers.length, ROW_PX);
  const fraction = useMemo(() => fractionDigits(transfers.map(({ points }) => points)), [transfers]);
  const lookalikes = useMemo(() => findLookalikes(transfers.map(({ toAddress }) => toAddress)), [transfers]);
  const header = (by: TransferSort["by"], name: string, right = false) => (
    <SortableHeader
      name={name}
      right={right}
      direction={sort.by === by ? (sort.descending ? "descending" : "ascending") : undefined}
      onClick={() => onSort({ by, descending: sort.by === by && !sort.descending })}
    />
  );
  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batch transfers"
      style={{ "--list-height": `${(ROWS_SHOWN_MAX + 1) * ROW_PX}px` } as CSSProperties}
      className="max-h-(--list-height) overflow-auto rounded-card border border-line bg-surface"
    >
      <table className="w-full border-separate border-spacing-0 text-table">
        <thead className="sticky top-0 z-10 bg-surface">
          <tr>
            {header("position", "Row", true)}
            {header("toAddress", "Recipient")}
            {header("points", `Amount (${TYPE_LABELS[pointType]})`, true)}
          </tr>
        </thead>
        <tbody>
          {before > 0 && (
            <tr aria-hidden>
              <td colSpan={3} style={{ height: before }} />
            </tr>
          )}
          {drawn.map((index) => {
            const transfer = transfers[index];
            if (!transfer) return null;
            return (
              <tr key={transfer.position} className="h-9 hover:bg-hover">
                <td className="w-16 border-line border-t px-3 text-right text-muted tabular-nums">
                  {transfer.position + 1}
                </td>
                <td className="border-line border-t px-3">
                  <HashText
                    value={transfer.toAddress}
                    what="address"
                    href={recipientPath(transfer.toAddress)}
                    form="narrow"
                    lookalike={lookalikes.has(transfer.toAddress)}
                  />
                  {transfer.label && <span className="ml-2 text-muted">{transfer.label}</span>}
                </td>
                <td className="border-line border-t px-3 text-right">
                  <Amount value={transfer.points} fraction={fraction} />
                </td>
              </tr>
            );
          })}
          {after > 0 && (
            <tr aria-hidden>
              <td colSpan={3} style={{ height: after }} />
            </tr>
          )}
        </tbody>
      </table>
      {transfers.length === 0 && (
        <p className="border-line border-t p-4 text-center text-muted text-table">
          No transfers to a matching address or label
        </p>
      )}
    </ScrollRegion>
  );
}

interface SortableHeaderProps {
  name: string;
  right: boolean;
  direction: "ascending" | "descending" | undefined;
  onClick: () => void;
}

function SortableHeader({ name, right, direction, onClick }: SortableHeaderProps) {
  const Icon = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={classNames("h-9 px-3 font-medium text-label text-muted", right ? "text-right" : "text-left")}
    >
      <button
        type="button"
        onClick={onClick}
        className="inline-flex items-center gap-1 rounded-badge hover:text-text"
      >
        {name}
        {direction && <Icon aria-hidden size={12} />}
      </button>
    </th>
  );
}
