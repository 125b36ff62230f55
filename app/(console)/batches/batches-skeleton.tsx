import { ListSkeleton } from "../../ui/list-skeleton";

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
