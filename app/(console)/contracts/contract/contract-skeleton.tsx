import { Skeleton } from "../../../ui/skeleton";

export function ContractSkeleton() {
  return (
    <div role="status" aria-label="Loading contract" className="flex flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-4 w-72" />
      </div>
      <Skeleton className="h-12 w-full" />
      <div className="grid gap-3 md:grid-cols-2">
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
      <Skeleton className="h-72 w-full" />
    </div>
  );
}
