import { BatchesSkeleton } from "../batches-skeleton";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="px-4 pt-4 pb-3 font-semibold text-title md:px-6 md:pt-5">Batches</h1>
      <div className="h-[78px] border-line border-b" />
      <BatchesSkeleton />
    </div>
  );
}
