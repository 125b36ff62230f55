import { Skeleton } from "../../../ui/skeleton";

export function StatementSkeleton() {
  return (
    <div role="status" aria-label="Loading the statement" className="flex flex-col gap-6 p-4 md:p-6">
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-80 w-full" />
    </div>
  );
}
