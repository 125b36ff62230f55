import { Skeleton } from "../../ui/skeleton";

const ROWS = Array.from({ length: 8 }, (_, row) => row);

/** Rows to come, in the shape they will have. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="rounded-card border border-line bg-surface">
      {ROWS.map((row) => (
        <div
          key={row}
          className="flex h-9 items-center gap-8 border-line border-t px-3 first:border-t-0 max-md:h-36"
        >
          <Skeleton className="h-4 w-36" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="ml-auto h-4 w-24 max-md:hidden" />
          <Skeleton className="h-4 w-24 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
