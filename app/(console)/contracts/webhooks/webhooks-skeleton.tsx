import { Skeleton } from "../../../ui/skeleton";

export function WebhooksSkeleton() {
  return (
    <div role="status" aria-label="Loading webhooks" className="flex flex-col gap-6 p-4 md:p-6">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-72 w-full" />
    </div>
  );
}
