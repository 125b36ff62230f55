import { LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy";

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded-badge bg-line", className)} />;
}

/** @param label for screen readers, where no text next to it says what is loading */
export function Spinner({ label }: { label?: string }) {
  const name = label ? { "aria-label": label } : { "aria-hidden": true };
  return <LoaderCircle {...name} size={14} className={label ? "animate-spin text-muted" : "animate-spin"} />;
}

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

const TONES = {
  pending: "bg-pending-ground text-pending",
  finalizing: "bg-finalizing-ground text-finalizing",
  finalized: "bg-finalized-ground text-finalized",
  overdue: "bg-overdue-ground text-overdue",
  held: "bg-held-ground text-held",
  cancelled: "bg-cancelled-ground text-cancelled",
  danger: "bg-danger-ground text-danger",
} as const;
export type Tone = keyof typeof TONES;

interface BadgeProps {
  tone: Tone;
  icon?: LucideIcon;
  spin?: boolean;
  children: React.ReactNode;
}

export function Badge({ tone, icon: Icon, spin, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        "inline-flex h-5 align-middle items-center gap-1 whitespace-nowrap rounded-badge px-1.5 font-medium text-label",
        TONES[tone],
      )}
    >
      {Icon && (
        <Icon aria-hidden size={12} strokeWidth={2.25} className={spin ? "animate-spin" : undefined} />
      )}
      {children}
    </span>
  );
}

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** `h1` when it is the only content of the page. */
  heading?: "h1" | "h2";
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, heading: Heading = "h2", children }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-[640px] flex-col items-center gap-3 px-4 py-14 text-center">
      <span className="flex size-10 items-center justify-center rounded-card border border-line bg-surface text-muted">
        <Icon aria-hidden size={18} />
      </span>
      <Heading className="font-semibold text-body">{title}</Heading>
      {children}
    </div>
  );
}

/** In place of an empty table in a section. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="rounded-card border border-line bg-surface p-4 text-muted text-table">{children}</p>;
}

interface AlertProps {
  title?: string;
  requestId?: string;
  children: ReactNode;
}

/** What went wrong, and what to do. */
export function Alert({ title, requestId, children }: AlertProps) {
  return (
    <div
      role="alert"
      className="wrap-anywhere rounded-control bg-danger-ground px-3 py-2 text-danger text-table"
    >
      {title && <p className="font-medium">{title}</p>}
      <div>{children}</div>
      {requestId && (
        <p className="mt-1 flex items-center gap-1 font-mono text-label">
          {requestId}
          <CopyButton value={requestId} what="request ID" />
        </p>
      )}
    </div>
  );
}
