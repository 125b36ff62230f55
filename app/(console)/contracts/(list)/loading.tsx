import { ListSkeleton } from "@/app/ui/list-skeleton";

export default function Loading() {
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <h1 className="font-semibold text-title">Contracts</h1>
      <div className="h-9" />
      <ContractsSkeleton />
    </div>
  );
}

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
