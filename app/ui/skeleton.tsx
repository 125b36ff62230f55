import { classNames } from "@/app/ui/class-names";

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded-badge bg-line", className)} />;
}

/** In place of a page that is loading. Each `loading.tsx` exports it: above a layout, it would hide the layout's 404. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-6 p-4 md:p-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-24" />
      <Skeleton className="h-80" />
    </div>
  );
}
