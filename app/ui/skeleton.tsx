import { classNames } from "./class-names";

/** A grey shape where something will stand. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded-badge bg-line", className)} />;
}
