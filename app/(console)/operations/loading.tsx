import { Skeleton } from "../../ui/skeleton";

const TILES = ["due", "overdue", "tick", "held", "check"];
const ROWS = ["1", "2", "3", "4", "5"];

export default function Loading() {
  return (
    <div role="status" aria-label="Loading operations" className="@container flex flex-col gap-6 p-4 md:p-6">
      <h1 className="flex h-8 items-center font-semibold text-title">Operations</h1>
      <div className="grid grid-cols-2 gap-3 @3xl:grid-cols-5">
        {TILES.map((tile) => (
          <div
            key={tile}
            className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 last:col-span-2 @3xl:last:col-span-1"
          >
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-6 w-16" />
            <Skeleton className="h-4 w-24" />
          </div>
        ))}
      </div>
      <Skeleton className="h-[340px] rounded-card" />
      <div className="grid gap-3 @4xl:grid-cols-2">
        <Skeleton className="h-[310px] rounded-card @4xl:col-span-2" />
        <Skeleton className="h-[310px] rounded-card" />
        <Skeleton className="h-[310px] rounded-card" />
      </div>
      <div className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
        {ROWS.map((row) => (
          <Skeleton key={row} className="h-4" />
        ))}
      </div>
    </div>
  );
}
