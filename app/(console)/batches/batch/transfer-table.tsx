"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type CSSProperties, type ReactNode, useMemo, useRef } from "react";
import type { ConsoleTransfer } from "@/server/batches/list/console-schema";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { Amount, fractionDigits } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { findLookalikes, HashText } from "../../../ui/hash-text";
import { ScrollRegion } from "../../../ui/scroll-region";
import { useRowWindow } from "../../../ui/use-row-window";
import { recipientPath } from "../../contracts/paths";
import { TYPE_LABELS } from "../status";
import { Spacer } from "../table/spacer";
import { AmountHeading } from "./section";

const ROW_PX = 36;
const ROWS_SHOWN_MAX = 12;

export interface TransferSort {
  by: "position" | "toAddress" | "points";
  descending: boolean;
}

interface TransferTableProps {
  transfers: ConsoleTransfer[];
  sort: TransferSort;
  onSort: (sort: TransferSort) => void;
  pointType: PointType;
  /** The transfers of a reversal. */
  minus: boolean;
}

export function TransferTable({ transfers, sort, onSort, pointType, minus }: TransferTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const { rows: drawn, before, after } = useRowWindow(scroller, transfers.length, ROW_PX);
  const fraction = useMemo(() => fractionDigits(transfers.map(({ points }) => points)), [transfers]);
  const lookalikes = useMemo(() => findLookalikes(transfers.map(({ toAddress }) => toAddress)), [transfers]);
  const header = (by: TransferSort["by"], name: ReactNode, right = false) => {
    const isSorted = sort.by === by;
    const Icon = sort.descending ? ArrowDown : ArrowUp;
    return (
      <th
        scope="col"
        aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : undefined}
        className={classNames(
          "h-9 px-3 font-medium text-label text-muted",
          right ? "text-right" : "text-left",
        )}
      >
        <button
          type="button"
          onClick={() => onSort({ by, descending: isSorted && !sort.descending })}
          className="inline-flex items-center gap-1 rounded-badge hover:text-text"
        >
          {name}
          {isSorted && <Icon aria-hidden size={12} />}
        </button>
      </th>
    );
  };
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
            {header(
              "points",
              <AmountHeading name={`Amount (${TYPE_LABELS[pointType]})`} fraction={fraction} />,
              true,
            )}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} span={3} />
          {drawn.map((index) => {
            const transfer = transfers[index];
            if (!transfer) return null;
            const { position, toAddress, label, points } = transfer;
            return (
              <tr key={position} className="h-9 hover:bg-hover">
                <td className="w-16 border-line border-t px-3 text-right text-muted tabular-nums">
                  {position + 1}
                </td>
                <td className="border-line border-t px-3">
                  <HashText
                    value={toAddress}
                    what="address"
                    href={recipientPath(toAddress)}
                    form="narrow"
                    lookalike={lookalikes.has(toAddress)}
                  />
                  {label && <span className="ml-2 text-muted">{label}</span>}
                </td>
                <td className="border-line border-t px-3 text-right">
                  <Amount value={points} fraction={fraction} minus={minus} />
                </td>
              </tr>
            );
          })}
          <Spacer height={after} span={3} />
        </tbody>
      </table>
      {transfers.length === 0 && (
        <p className="border-line border-t p-4 text-center text-muted text-table">No matching transfers</p>
      )}
    </ScrollRegion>
  );
}
