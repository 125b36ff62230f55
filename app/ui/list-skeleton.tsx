import { classNames } from "./class-names";
import { Skeleton } from "./skeleton";

interface ListSkeletonProps {
  label: string;
  rows?: number;
  /** The height of a row, on phones that of a card. */
  rowHeight: string;
  /** Widths of what stands in a row; on phones only the first two are shown. */
  columns: readonly string[];
  /** Within a page's padding, with a frame; else from edge to edge below a head row. */
  framed?: boolean;
}

/** Rows to come, in the shape they will have. */
export function ListSkeleton({ label, rows = 10, rowHeight, columns, framed }: ListSkeletonProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className={framed ? "rounded-card border border-line bg-surface" : "min-h-0 flex-1 overflow-hidden"}
    >
      <div className="h-9 border-line border-b bg-surface max-md:hidden" hidden={framed} />
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
          key={row}
          className={classNames(
            "flex items-center gap-8 border-line border-b bg-surface px-4",
            framed ? "last:border-b-0" : "md:px-6",
            rowHeight,
          )}
        >
          {columns.map((width, place) => (
            <Skeleton
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              key={place}
              className={classNames("h-4", width, place > 1 && "max-md:hidden")}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
