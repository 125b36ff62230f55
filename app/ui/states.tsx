import { Info, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/ui/button";

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

export function Banner({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div
      role="status"
      className="flex items-center gap-2 rounded-control bg-overdue-ground px-3 py-1.5 text-label text-overdue"
    >
      <Info aria-hidden size={14} className="shrink-0" />
      <span className="flex-1">{children}</span>
      {action}
    </div>
  );
}

interface StaleBannerProps {
  what?: string;
  /** Without it, the page retries by itself. */
  onRetry?: () => void;
}

/** Above data whose last update failed. */
export function StaleBanner({ what = "page", onRetry }: StaleBannerProps) {
  const action = onRetry && (
    <Button size="small" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Banner action={action}>
      This {what} may be out of date: the last update failed.{!onRetry && " Retrying automatically."}
    </Banner>
  );
}
