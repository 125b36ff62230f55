import { Skeleton } from "../../ui/skeleton";

const ROWS = Array.from({ length: 10 }, (_, row) => row);

/** Rows to come, in the shape they will have. */
export function RowsSkeleton({ what }: { what: string }) {
  return (
    <div role="status" aria-label={`Loading ${what}`} className="min-h-0 flex-1 overflow-hidden">
      <div className="h-9 border-line border-b bg-surface max-md:hidden" />
      {ROWS.map((row) => (
        <div
          key={row}
          className="flex h-11 items-center gap-8 border-line border-b bg-surface px-4 max-md:h-[92px] md:px-6"
        >
          <Skeleton className="h-4 w-52" />
          <Skeleton className="h-4 w-20 max-md:hidden" />
          <Skeleton className="h-4 w-24 max-md:hidden" />
          <Skeleton className="h-4 w-36 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
