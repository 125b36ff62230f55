import { RecipientSkeleton } from "../recipient-skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[1200px]">
      <RecipientSkeleton />
    </div>
  );
}
