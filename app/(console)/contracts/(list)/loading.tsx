import { ContractsSkeleton } from "@/app/(console)/contracts/contract-list";

export default function Loading() {
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <h1 className="font-semibold text-title">Contracts</h1>
      <div className="h-9" />
      <ContractsSkeleton />
    </div>
  );
}
