import { ListSkeleton } from "@/app/ui/list-skeleton";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="px-4 pt-2 pb-1.5 font-semibold text-title md:px-6">Batches</h1>
      <div className="h-[77px] border-line border-b" />
      <BatchesSkeleton />
    </div>
  );
}

const COLUMNS = ["w-20", "w-36", "w-44", "ml-auto w-24", "w-32", "w-28 max-lg:hidden"];

export function BatchesSkeleton() {
  return (
    <ListSkeleton
      label="Loading batches"
      rows={16}
      rowHeight="h-9 max-md:h-[100px]"
      columns={COLUMNS}
      cardLines={3}
    />
  );
}
