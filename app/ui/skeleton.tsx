import { classNames } from "@/app/ui/class-names";

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded-badge bg-line", className)} />;
}
