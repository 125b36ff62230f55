import type { ReactNode } from "react";
import { classNames } from "@/app/ui/class-names";
import { Instant } from "./instant";

/** The class name sets the number of columns. Rows are separated by lines, with none after the last. */
export function FactList({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <dl
      className={classNames(
        "grid grid-cols-1 gap-x-8 overflow-hidden rounded-card border border-line bg-surface px-4",
        className,
      )}
    >
      {children}
    </dl>
  );
}

interface FactProps {
  name: string;
  /** A hint on the name. */
  title?: string;
  className?: string;
  /** A time, instead of children. */
  at?: string;
  children?: ReactNode;
}

export function Fact({ name, title, className, at, children }: FactProps) {
  return (
    <div
      className={classNames(
        "-mt-px flex min-h-10 items-center justify-between gap-6 border-line border-t py-1.5 text-table",
        className,
      )}
    >
      <dt title={title} className="shrink-0 text-muted">
        {name}
      </dt>
      <dd className="min-w-0 text-right tabular-nums">{at ? <Instant at={at} /> : children}</dd>
    </div>
  );
}
