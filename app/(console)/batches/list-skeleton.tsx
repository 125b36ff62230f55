import { Skeleton } from "../../ui/skeleton";

const ROWS = Array.from({ length: 16 }, (_, row) => row);

/** Rows to come, in the shape they will have. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading batches" className="min-h-0 flex-1 overflow-hidden">
      <div className="h-9 border-line border-b bg-surface max-md:hidden" />
      {ROWS.map((row) => (
        <div
          key={row}
          className="flex h-9 items-center gap-8 border-line border-b bg-surface px-6 max-md:h-[100px]"
        >
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-4 w-36" />
          <Skeleton className="h-4 w-44 max-md:hidden" />
          <Skeleton className="ml-auto h-4 w-24 max-md:hidden" />
          <Skeleton className="h-4 w-32 max-md:hidden" />
          <Skeleton className="h-4 w-28 max-lg:hidden" />
        </div>
      ))}
    </div>
  );
}
