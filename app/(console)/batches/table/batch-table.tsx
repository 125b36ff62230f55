"use client";
import { useMemo, useRef } from "react";
import { formatAmount, fractionDigits } from "@/app/ui/amount";
import { findLookalikes } from "@/app/ui/hash-text";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { useRowWindow } from "@/app/ui/use-row-window";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { classNames } from "../../../ui/class-names";
import { exportQuery } from "../list-params";
import { batchKey } from "../paths";
import type { Selection } from "../selection/use-selection";
import { useKeptPlace, useListParams, useLiveRows } from "../use-batch-list";
import {
  COLUMNS,
  FIXED_COLUMNS,
  hasColumn,
  isSortable,
  type ListRow,
  RIGHT_ALIGNED,
  RowCheckbox,
  SortHeader,
  sortedBy,
  WIDTHS,
} from "./columns";
import { Spacer } from "./spacer";
import { useRowKeys } from "./use-row-keys";

const ROW_PX = 36;
/** `left-11`, the place of the next sticky column. */
const SELECT_PX = 44;
const DIGIT_PX = 7.6;
const CELL_PADDING_PX = 21;
const POINTS_PX_MIN = 100;
/** All other columns at their smallest. */
const OTHERS_PX_MIN = 842;
const TIME_PX = 128;

interface BatchTableProps {
  batches: ConsoleBatch[];
  asOf: string;
  /** Rendered below the last row. */
  end: React.ReactNode;
  /** Null for viewers. */
  selection: Selection | null;
}

export function BatchTable({ batches, asOf, end, selection }: BatchTableProps) {
  const { params, setParams } = useListParams();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows: drawn, before, after } = useRowWindow(scroller, batches.length, ROW_PX);
  useKeptPlace(scroller);
  const live = useLiveRows(batches, drawn[0] ?? 0, drawn.at(-1) ?? 0);
  const rows = useMemo(() => toRows(live, asOf), [live, asOf]);
  const shown = COLUMNS.filter(
    ({ id }) => FIXED_COLUMNS.has(id) || (hasColumn(params, id) && !params.hide.includes(id)),
  );
  const pointsPx = pointsWidth(batches);
  const hasBothTimes = hasColumn(params, "due") && hasColumn(params, "finalized");
  const minWidth = pointsPx + OTHERS_PX_MIN + (hasBothTimes ? TIME_PX : 0);

  const rowKeys = useRowKeys({
    scroller,
    batches,
    rowPx: ROW_PX,
    selection,
    exportHref: exportQuery("/batches/export", params),
    open: params.open,
  });
  const span = shown.length + (selection ? 1 : 0);

  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batches"
      className="@container min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <table
        aria-rowcount={-1}
        style={{ minWidth }}
        className="w-full table-fixed border-separate border-spacing-0 text-table"
      >
        <colgroup>
          {selection && <col style={{ width: SELECT_PX }} />}
          {shown.map(({ id }) => (
            <col key={id} className={WIDTHS[id]} style={id === "points" ? { width: pointsPx } : undefined} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-20">
          <tr>
            {selection && (
              <th scope="col" className="sticky left-0 h-9 border-line border-b bg-surface pl-3 text-left">
                <RowCheckbox
                  label="Select all loaded batches"
                  checked={selection.loaded === "some" ? "some" : selection.loaded === "all"}
                  onToggle={selection.toggleLoaded}
                />
              </th>
            )}
            {shown.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                aria-sort={sortedBy(params, id)}
                className={classNames(
                  "h-9 truncate border-line border-b bg-surface px-2 text-left font-medium text-label text-muted first:pl-4 last:pr-4 @[1300px]:px-2.5 @[1300px]:first:pl-6 @[1300px]:last:pr-6",
                  RIGHT_ALIGNED.has(id) && "text-right!",
                  id === "status" && `sticky ${selection ? "left-11" : "left-0"}`,
                )}
              >
                {isSortable(id) ? <SortHeader column={id} name={name} /> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...rowKeys}>
          <Spacer height={before} span={span} />
          {drawn.map((index) => {
            const row = rows[index];
            if (!row) return null;
            const key = batchKey(row.batch);
            const open = params.open === key;
            const selected = selection?.has(row.batch) ?? false;
            return (
              <tr
                key={key}
                data-index={index}
                aria-current={open || undefined}
                aria-rowindex={index + 2}
                onClick={(event) => {
                  if (!(event.target as HTMLElement).closest("a,button,label")) void setParams({ open: key });
                }}
                className={classNames(
                  "group h-9 cursor-default has-[[data-batch-link]:focus-visible]:bg-hover",
                  open || selected ? "bg-selected" : "bg-surface hover:bg-hover",
                )}
              >
                {selection && (
                  <td className="sticky left-0 z-10 border-line border-b bg-inherit pl-3">
                    <RowCheckbox
                      label={`Select batch ${row.batch.id}`}
                      checked={selected}
                      onToggle={(range) => selection.toggle(index, range)}
                    />
                  </td>
                )}
                {shown.map(({ id, render }) => (
                  <td
                    key={id}
                    className={classNames(
                      "truncate border-line border-b px-2 first:overflow-visible first:pl-4 last:pr-4 @[1300px]:px-2.5 @[1300px]:first:pl-6 @[1300px]:last:pr-6",
                      RIGHT_ALIGNED.has(id) && "text-right",
                      id === "status" && `sticky z-10 bg-inherit ${selection ? "left-11" : "left-0"}`,
                    )}
                  >
                    {render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} span={span} />
        </tbody>
      </table>
      {end}
    </ScrollRegion>
  );
}

function toRows(batches: ConsoleBatch[], asOf: string): ListRow[] {
  const fraction = fractionDigits(batches.map((batch) => batch.points));
  const lookalikes = findLookalikes(batches.map((batch) => batch.contractAddress));
  const ambiguous = sharedLabels(batches);
  return batches.map((batch) => ({
    batch,
    asOf,
    fraction,
    ambiguous: ambiguous.has(batch.contractLabel),
    lookalike: lookalikes.has(batch.contractAddress),
  }));
}

function pointsWidth(batches: ConsoleBatch[]): number {
  const fraction = fractionDigits(batches.map((batch) => batch.points));
  const whole = batches.reduce(
    (most, { points, reverses }) =>
      Math.max(most, formatAmount(points.split(".")[0]!).length + (reverses ? 1 : 0)),
    0,
  );
  return Math.max(POINTS_PX_MIN, (whole + fraction + 1) * DIGIT_PX + CELL_PADDING_PX);
}

/** Labels that more than one contract of the list has. */
function sharedLabels(batches: readonly ConsoleBatch[]): Set<string> {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { contractLabel, contractAddress } of batches) {
    const other = first.get(contractLabel) ?? contractAddress;
    first.set(contractLabel, other);
    if (other !== contractAddress) shared.add(contractLabel);
  }
  return shared;
}
