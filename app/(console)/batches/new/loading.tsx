import { NewBatchFrame } from "./frame";
import { PrepareSkeleton } from "./skeleton";

export default function Loading() {
  return (
    <NewBatchFrame>
      <PrepareSkeleton />
    </NewBatchFrame>
  );
}
