import { classNames } from "@/app/ui/class-names";
import { Skeleton } from "./skeleton";

interface PageSkeletonProps {
  label: string;
  /** Class names of the blocks, from the top. An array is a row of two. */
  blocks: readonly (string | readonly [string, string])[];
  width?: string;
}

export function PageSkeleton({ label, blocks, width = "max-w-[1200px]" }: PageSkeletonProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className={classNames("mx-auto flex w-full flex-col gap-6 p-4 md:p-6", width)}
    >
      {blocks.map((block) => {
        const [one, two] = typeof block === "string" ? [block] : block;
        return (
          <div key={String(block)} className={two && "grid gap-3 md:grid-cols-2"}>
            <Skeleton className={one} />
            {two && <Skeleton className={two} />}
          </div>
        );
      })}
    </div>
  );
}
