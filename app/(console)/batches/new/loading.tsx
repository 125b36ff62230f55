import { NewBatchFrame, PrepareSkeleton } from "./frame";

export default function Loading() {
  return (
    <NewBatchFrame>
      <PrepareSkeleton />
    </NewBatchFrame>
  );
}
