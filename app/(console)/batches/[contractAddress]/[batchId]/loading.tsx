import { Skeleton } from "@/app/ui/skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1040px]">
      <BatchSkeleton />
    </div>
  );
}

export function BatchSkeleton() {
  return (
    <div role="status" aria-label="Loading batch" className="flex flex-col gap-6 p-4 md:p-6">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-40 w-full max-w-[520px]" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
