import { ListSkeleton } from "../../ui/list-skeleton";

const COLUMNS = ["w-52", "w-20 max-md:hidden", "w-24", "w-36"];

export function AccessSkeleton({ what }: { what: string }) {
  return (
    <ListSkeleton
      label={`Loading ${what}`}
      rowHeight="h-11 max-md:h-[92px]"
      columns={COLUMNS}
      cardLines={3}
    />
  );
}
