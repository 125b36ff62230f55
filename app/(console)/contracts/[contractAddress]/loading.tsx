import { ContractSkeleton } from "../contract/contract-skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1200px]">
      <ContractSkeleton />
    </div>
  );
}
