import { ListSkeleton } from "../../ui/list-skeleton";

const COLUMNS = ["w-36", "w-28", "ml-auto w-24", "w-24"];

export function ContractsSkeleton() {
  return (
    <ListSkeleton
      label="Loading contracts"
      rows={8}
      rowHeight="h-9 max-md:h-[190px]"
      columns={COLUMNS}
      cardLines={6}
      framed
    />
  );
}
