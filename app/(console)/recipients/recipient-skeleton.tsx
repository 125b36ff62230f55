import { Skeleton } from "../../ui/skeleton";

export function RecipientSkeleton() {
  return (
    <div role="status" aria-label="Loading recipient" className="flex flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-5 w-80" />
      </div>
      <div className="grid gap-3 md:grid-cols-2">
        <Skeleton className="h-32" />
        <Skeleton className="h-32" />
      </div>
      <Skeleton className="h-80 w-full" />
    </div>
  );
}
