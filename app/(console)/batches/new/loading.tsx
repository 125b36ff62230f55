import type { ReactNode } from "react";
import { Skeleton } from "@/app/ui/skeleton";

export function NewBatchFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-[880px] p-4 md:p-6">
      <h1 className="mb-4 font-semibold text-title">New batch</h1>
      {children}
    </div>
  );
}

function PrepareSkeleton() {
  return (
    <div role="status" aria-label="Loading form" className="flex flex-col gap-6">
      <Skeleton className="h-6 w-full" />
      <Skeleton className="h-14 w-full" />
      <div className="grid gap-4 md:grid-cols-2">
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-20 w-full" />
      </div>
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

export default function Loading() {
  return (
    <NewBatchFrame>
      <PrepareSkeleton />
    </NewBatchFrame>
  );
}
