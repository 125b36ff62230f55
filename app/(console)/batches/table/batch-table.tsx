import { clsx } from "clsx";
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from "react";
import { indexOfBatch } from "@/app/(console)/batch-key";
import { focusRow, useKeptPlace } from "@/app/(console)/batches/use-kept-place";
import { useListParams } from "@/app/(console)/batches/use-list-params";
import { useLiveRows } from "@/app/(console)/batches/use-live-rows";
import type { Selection } from "@/app/(console)/batches/use-selection";
import { decimalsEm, formatAmount } from "@/app/ui/amount";
import { isSingleKey, useIsPhone, useWindowEvent } from "@/app/ui/hooks";
import { ROW_PX, ScrollRegion, Spacer } from "@/app/ui/scroll-region";
import { useRowWindow } from "@/app/ui/use-row-window";
import {
  COLUMNS,
  type Column,
  hasColumn,
  type ListRow,
  RowCheckbox,
  SortHeader,
  sortedBy,
  toRows,
} from "./columns";
import type { Line } from "./lines";

const CARD_PX = 100;

interface RowKeys {
  rowPx: number;
  scroller: RefObject<HTMLElement | null>;
  lines: readonly Line[];
  fold: (line: Line) => void;
  selection: Selection | null;
  /** The batch in the side panel, which has keys of its own. */
  open: string | null;
}

const indexOfRow = (target: EventTarget | null) =>
  Number((target as Element).closest?.("tr[data-index]")?.getAttribute("data-index") ?? -1);

/** Keys that move, fold and select. The current row is the one whose link had the focus last. */
function useRowKeys({ rowPx, scroller, lines, fold, selection, open }: RowKeys) {
  const current = useRef<string>(null);

  /** Scrolls no further than needed. The header covers the height of a row. */
  const show = (index: number) => {
    const region = scroller.current;
    if (!region || index < 0) return;
    const most = index * rowPx;
    const least = most + 2 * rowPx - region.clientHeight;
    region.scrollTop = Math.max(least, Math.min(region.scrollTop, most));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each batch that opens is scrolled into view
  useEffect(
    () => show(lines.findIndex(({ isPayout, batch }) => !isPayout && indexOfBatch([batch], open) === 0)),
    [open],
  );

  const focus = (index: number) => {
    const line = lines[index];
    if (!line) return;
    current.current = line.key;
    show(index);
    focusRow(line.path, true);
  };

  useWindowEvent("keydown", (event) => {
    if (!isSingleKey(event)) return;
    const key = event.key.toLowerCase();
    const index = indexOfRow(event.target);
    const by = key === "j" ? 1 : key === "k" ? -1 : 0;
    if (key === "x" && selection && index >= 0) selection.toggle(index, event.shiftKey);
    else if (by && !event.shiftKey && open === null) {
      const at = lines.findIndex(({ key }) => key === current.current);
      const inView = Math.ceil((scroller.current?.scrollTop ?? 0) / rowPx);
      // Before any row was current, the first one in view.
      focus(at < 0 ? inView : Math.max(0, Math.min(lines.length - 1, at + by)));
    } else return;
    event.preventDefault();
  });

  /** From the row that has the focus, also while single keys are turned off. */
  const onKeyDown = (event: KeyboardEvent) => {
    const index = indexOfRow(event.target);
    const line = lines[index];
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const folds = event.key === (line?.isUnfolded ? "ArrowLeft" : "ArrowRight");
    if (line?.isPayout && folds) fold(line);
    else if (by && line && lines[index + by]) focus(index + by);
    else return;
    event.preventDefault();
  };

  const onFocus = (event: FocusEvent) => {
    const line = lines[indexOfRow(event.target)];
    if (line) current.current = line.key;
  };
  return { onKeyDown, onFocus };
}

/** `left-11`, the place of the next sticky column. */
const SELECT_PX = 44;
const FONT_PX = 13;
const DIGIT_PX = 7.6;
const CELL_PADDING_PX = 21;
const POINTS_PX_MIN = 100;
/** All other columns of a narrow list at their smallest. */
const OTHERS_PX_MIN = 774;

interface BatchTableProps {
  lines: readonly Line[];
  fold: (line: Line) => void;
  end: React.ReactNode;
  /** Null for viewers. */
  selection: Selection | null;
}

/** On a phone, each row becomes a card. */
export function BatchTable({ lines, fold, end, selection }: BatchTableProps) {
  const { params, setParams } = useListParams();
  const rowPx = useIsPhone() ? CARD_PX : ROW_PX;
  const { scroller, rows: drawn, before, after } = useRowWindow(lines.length, rowPx);
  useKeptPlace(scroller);
  const live = useLiveRows(lines, drawn);
  const rows = useMemo(() => toRows(lines, live, fold), [lines, live, fold]);
  const shown = COLUMNS.filter(
    ({ id, fixed }) => fixed || (hasColumn(params, id) && !params.hide.includes(id)),
  );
  const pointsPx = pointsWidth(rows);
  const hasBothTimes = hasColumn(params, "due") && hasColumn(params, "finalized");
  const ifWide = ({ id, wide }: Column) =>
    (wide || (hasBothTimes && id === "created")) && "@max-[1180px]/list:hidden";

  const rowKeys = useRowKeys({ rowPx, scroller, lines, fold, selection, open: params.open });
  const sticky = `md:sticky ${selection ? "left-11" : "left-0"}`;

  return (
    <ScrollRegion
      ref={scroller}
      aria-label="Batches"
      className="@container/list min-h-0 flex-1 overflow-auto -outline-offset-2"
    >
      <table
        aria-rowcount={-1}
        style={{ minWidth: pointsPx + OTHERS_PX_MIN }}
        className="w-full table-fixed border-separate border-spacing-0 text-table
          max-md:block max-md:min-w-0!"
      >
        <colgroup>
          {selection && <col style={{ width: SELECT_PX }} />}
          {shown.map((column) => (
            <col
              key={column.id}
              className={clsx(column.width, ifWide(column))}
              style={column.id === "points" ? { width: pointsPx } : undefined}
            />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-20 max-md:hidden">
          <tr>
            {selection && (
              <th scope="col" className="sticky left-0 h-9 border-line border-b bg-surface pl-3 text-left">
                <RowCheckbox
                  label="Select all loaded batches"
                  checked={selection.loaded}
                  onToggle={selection.toggleLoaded}
                />
              </th>
            )}
            {shown.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={sortedBy(params, column)}
                className={clsx(
                  "list-cell h-9 bg-surface font-medium hint",
                  column.right ? "text-right" : "text-left",
                  column.id === "status" && sticky,
                  ifWide(column),
                )}
              >
                <SortHeader column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...rowKeys} className="max-md:block">
          <Spacer height={before} />
          {drawn.map((index) => {
            const row = rows[index]!;
            const { line } = row;
            const { key, isPayout } = line;
            const open = params.open === key;
            const selected = selection?.has(line) ?? false;
            return (
              <tr
                key={key}
                data-index={index}
                aria-current={open || undefined}
                aria-rowindex={index + 2}
                onClick={(event) => {
                  if ((event.target as HTMLElement).closest("a,button,label")) return;
                  if (isPayout) fold(line);
                  else void setParams({ open: key });
                }}
                className={clsx(
                  "group list-row has-[[data-batch-link]:focus-visible]:bg-hover",
                  line.isPart && "max-md:pl-10",
                  open || selected ? "bg-selected" : "bg-surface hover:bg-hover",
                )}
              >
                {selection && (
                  <td className="list-check">
                    <RowCheckbox
                      label={isPayout ? `Select ${row.batch.payout?.name}` : `Select batch ${row.batch.id}`}
                      checked={selected}
                      onToggle={(range) => selection.toggle(index, range)}
                    />
                  </td>
                )}
                {shown.map((column) => (
                  <td
                    key={column.id}
                    className={clsx(
                      "list-cell first:overflow-visible",
                      column.right && "md:text-right",
                      column.id === "status" && `z-10 bg-inherit ${sticky}`,
                      column.phone?.(row) || "max-md:hidden",
                      ifWide(column),
                    )}
                  >
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
      {end}
    </ScrollRegion>
  );
}

function pointsWidth(rows: readonly ListRow[]): number {
  const fraction = rows[0]?.fraction ?? 0;
  const whole = rows.reduce(
    (most, { batch: { points, reverses } }) =>
      Math.max(most, formatAmount(points.split(".")[0]!).length + (reverses ? 1 : 0)),
    0,
  );
  return Math.max(POINTS_PX_MIN, whole * DIGIT_PX + decimalsEm(fraction) * FONT_PX + CELL_PADDING_PX);
}
