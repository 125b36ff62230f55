import { BatchSkeleton } from "../../batch/batch-skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1040px]">
      <BatchSkeleton />
    </div>
  );
}
