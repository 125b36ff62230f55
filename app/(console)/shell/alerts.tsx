"use client";
import { clsx } from "clsx";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { usePathname } from "next/navigation";
import { useQueueState } from "@/app/(console)/queue-state";
import { formatCount } from "@/app/ui/amount";
import { Link } from "@/app/ui/button";
import { formatInstant } from "@/app/ui/format-time";
import { useTimeZone } from "@/app/ui/time";

/** The first card, on every page but the inbox. Always rendered, so that screen readers announce it. */
export function AlertBanner() {
  const { first = null, unseenCount = 0, isWhole } = useQueueState() ?? {};
  const isInbox = usePathname() === "/inbox";
  const { zone } = useTimeZone();
  // A hold's own words say it.
  const dueAt = first?.batches && first.kind !== "hold" && first.dueAt;
  const due = dueAt ? `Due ${formatInstant(dueAt, zone).slice(0, 16)}. ` : "";
  const Icon = first?.severity === "critical" ? CircleAlert : TriangleAlert;
  return (
    <div role="status" aria-label="Alerts" className="shrink-0 empty:sr-only print:hidden">
      {first && !isInbox && (
        <div
          className={clsx(
            "flex min-h-9 items-center gap-2 border-line border-b px-4 py-1.5 text-table md:px-6",
            first.severity === "critical" ? "bg-danger-ground text-danger" : "bg-overdue-ground text-overdue",
          )}
        >
          <Icon size={15} className="shrink-0" />
          <p className="wraps flex-1">
            <Link href={first.path} className="rounded-badge font-semibold hover:underline">
              {first.title}
            </Link>
            <span className="max-sm:hidden">. {due + first.remedy}</span>
          </p>
          <Link
            href="/inbox"
            className="inline-flex h-6 shrink-0 items-center rounded-badge
              font-medium underline underline-offset-2"
          >
            {unseenCount > 1 ? `and ${formatCount(unseenCount - 1)}${isWhole ? "" : "+"} more` : "View alert"}
          </Link>
        </div>
      )}
    </div>
  );
}
