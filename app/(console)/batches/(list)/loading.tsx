import { BatchesSkeleton } from "../list-end";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="px-4 pt-2 pb-1.5 font-semibold text-title md:px-6">Batches</h1>
      <div className="h-[77px] border-line border-b" />
      <BatchesSkeleton />
    </div>
  );
}
