import { Skeleton } from "@/app/ui/skeleton";

const ROWS = ["1", "2", "3"];

export default function Loading() {
  return (
    <div role="status" aria-label="Loading alerts" className="flex flex-col gap-4 p-4 md:p-6">
      <h1 className="flex h-8 items-center font-semibold text-title">Alerts</h1>
      <Skeleton className="h-8 w-72" />
      <div className="flex flex-col rounded-card border border-line bg-surface">
        {ROWS.map((row) => (
          <div key={row} className="flex flex-col gap-2 border-line border-t px-4 py-3.5 first:border-t-0">
            <Skeleton className="h-5 w-64" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-40" />
          </div>
        ))}
      </div>
    </div>
  );
}
