import { Skeleton } from "../../ui/skeleton";

export default function Loading() {
  return (
    <div
      role="status"
      aria-label="Loading profile"
      className="mx-auto flex w-full max-w-[688px] flex-col gap-6 p-4 md:p-6"
    >
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
