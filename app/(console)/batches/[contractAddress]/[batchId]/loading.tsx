import { Skeleton } from "@/app/ui/skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1040px]">
      <BatchSkeleton />
    </div>
  );
}

const LINES = [1, 2, 3, 4, 5, 6];

export function BatchSkeleton() {
  return (
    <div role="status" aria-label="Loading batch" className="flex flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-4 w-40" />
      </div>
      <div className="flex flex-col gap-3">
        {LINES.map((line) => (
          <Skeleton key={line} className="h-4 w-full max-w-[520px]" />
        ))}
      </div>
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
