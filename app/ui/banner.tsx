import { Info } from "lucide-react";
import type { ReactNode } from "react";

export function Banner({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex items-center gap-2 rounded-control bg-overdue-ground px-3 py-1.5 text-label text-overdue"
    >
      <Info aria-hidden size={14} className="shrink-0" />
      <span className="flex-1">{children}</span>
    </div>
  );
}

/** Above data whose last update failed. Its query tries again by itself. */
export const StaleBanner = () => (
  <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
);
