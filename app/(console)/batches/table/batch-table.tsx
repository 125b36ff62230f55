"use client";
import { type KeyboardEvent, useMemo, useRef } from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { formatAmount, fractionDigits } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { findLookalikes } from "../../../ui/hash-text";
import { ScrollRegion } from "../../../ui/scroll-region";
import { useRowWindow } from "../../../ui/use-row-window";
import { batchKey } from "../list-params";
import { useListParams } from "../use-list-params";
import { useLiveRows } from "../use-live-rows";
import { COLUMNS, FIXED_COLUMNS, type ListRow, RIGHT_ALIGNED, WIDTHS } from "./columns";
import { isSortable, SortHeader, sortedBy } from "./sort-header";

const ROW_PX = 36;
const DIGIT_PX = 7.6;
const CELL_PADDING_PX = 21;

interface BatchTableProps {
  batches: ConsoleBatch[];
  asOf: string;
  /** Rendered below the last row. */
  end: React.ReactNode;
}

export function BatchTable({ batches, asOf, end }: BatchTableProps) {
  const { params, setParams } = useListParams();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows: drawn, before, after } = useRowWindow(scroller, batches.length, ROW_PX);
  const live = useLiveRows(batches, drawn[0] ?? 0, drawn.at(-1) ?? 0);
  const rows = useMemo(() => toRows(live, asOf), [live, asOf]);
  const shown = COLUMNS.filter(({ id }) => FIXED_COLUMNS.has(id) || !params.hide.includes(id));
  const widths = { ...WIDTHS, points: pointsWidth(batches) };

  const moveFocus = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const row = (event.target as HTMLElement).closest("tr[data-index]");
    if (!step || !row) return;
    const next = row.parentElement?.querySelector<HTMLElement>(
      `tr[data-index="${Number(row.getAttribute("data-index")) + step}"] [data-batch-link]`,
    );
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batches"
      className="min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <table aria-rowcount={-1} className="w-full table-fixed border-separate border-spacing-0 text-table">
        <colgroup>
          {shown.map(({ id }) => (
            <col key={id} style={{ width: widths[id as keyof typeof widths] }} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-20">
          <tr>
            {shown.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                aria-sort={sortedBy(params, id)}
                className={classNames(
                  "h-9 truncate border-line border-b bg-surface px-2.5 text-left font-medium text-label text-muted first:pl-6 last:pr-6",
                  RIGHT_ALIGNED.has(id) && "text-right!",
                  id === "status" && "sticky left-0",
                )}
              >
                {isSortable(params, id) ? <SortHeader column={id} name={name} /> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          <Spacer height={before} span={shown.length} />
          {drawn.map((index) => {
            const row = rows[index];
            if (!row) return null;
            const key = batchKey(row.batch);
            const open = params.open === key;
            return (
              <tr
                key={key}
                data-index={index}
                aria-current={open || undefined}
                aria-rowindex={index + 2}
                onClick={(event) => {
                  if (!(event.target as HTMLElement).closest("a,button")) void setParams({ open: key });
                }}
                className={classNames(
                  "group h-9 cursor-default",
                  open ? "bg-selected" : "bg-surface hover:bg-hover",
                )}
              >
                {shown.map(({ id, render }) => (
                  <td
                    key={id}
                    className={classNames(
                      "truncate border-line border-b px-2.5 first:overflow-visible first:pl-6 last:pr-6",
                      RIGHT_ALIGNED.has(id) && "text-right",
                      id === "status" && "sticky left-0 z-10 bg-inherit",
                    )}
                  >
                    {render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} span={shown.length} />
        </tbody>
      </table>
      {end}
    </ScrollRegion>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

function toRows(batches: ConsoleBatch[], asOf: string): ListRow[] {
  const fraction = fractionDigits(batches.map((batch) => batch.points));
  const lookalikes = findLookalikes(batches.map((batch) => batch.contractAddress));
  return batches.map((batch) => ({
    batch,
    asOf,
    fraction,
    lookalike: lookalikes.has(batch.contractAddress),
  }));
}

function pointsWidth(batches: ConsoleBatch[]): number {
  const fraction = fractionDigits(batches.map((batch) => batch.points));
  const whole = batches.reduce(
    (most, { points }) => Math.max(most, formatAmount(points.split(".")[0]!).length),
    0,
  );
  return Math.max(WIDTHS.points!, (whole + fraction + 1) * DIGIT_PX + CELL_PADDING_PX);
}
