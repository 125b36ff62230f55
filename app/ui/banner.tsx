import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";

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
