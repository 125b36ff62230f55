"use client";
import { classNames } from "@/app/ui/class-names";
import { Skeleton } from "./skeleton";

interface ListSkeletonProps {
  label: string;
  rows?: number;
  /** Height of a row, or of a card on phones. */
  rowHeight: string;
  columns: readonly string[];
  /** Lines of a card on phones. */
  cardLines: number;
  /** With a border inside the page's padding; otherwise edge to edge, below a header row. */
  framed?: boolean;
}

/** A client component only so that a page names it in a line: its rows are 33 kB when the server sends them. */
export function ListSkeleton({ label, rows = 10, rowHeight, columns, cardLines, framed }: ListSkeletonProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className={framed ? "rounded-card border border-line bg-surface" : "min-h-0 flex-1 overflow-hidden"}
    >
      <div className="h-9 border-line border-b bg-surface max-md:hidden" hidden={framed} />
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
          key={row}
          className={classNames(
            "flex items-center gap-8 border-line border-b bg-surface px-4",
            framed ? "last:border-b-0" : "md:px-6",
            rowHeight,
          )}
        >
          {columns.map((width, index) => (
            <Skeleton
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
              key={index}
              className={classNames("h-4 max-md:hidden", width)}
            />
          ))}
          <div className="flex flex-1 flex-col gap-3 md:hidden">
            {Array.from({ length: cardLines }, (_, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by position
              <div key={line} className="flex justify-between">
                <Skeleton className={classNames("h-4", line % 2 ? "w-24" : "w-36")} />
                <Skeleton className="h-4 w-16" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
