import { BatchSkeleton } from "@/app/(console)/batches/batch/parts";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1040px]">
      <BatchSkeleton />
    </div>
  );
}
