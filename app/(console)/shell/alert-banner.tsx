"use client";
import { CircleAlert, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "../../ui/class-names";
import { shownCount, useAlerts } from "./alerts";

/** The worst alert in one line, on every page but the inbox. Always rendered, so that screen readers announce it. */
export function AlertBanner() {
  const { unseen, unseenCount } = useAlerts();
  const isInbox = usePathname() === "/inbox";
  const [worst] = unseen;
  const Icon = worst?.severity === "critical" ? CircleAlert : TriangleAlert;
  return (
    <div role="status" aria-label="Alerts" className="shrink-0 empty:sr-only print:hidden">
      {worst && !isInbox && (
        <div
          className={classNames(
            "flex h-9 items-center gap-2 border-line border-b px-4 text-table md:px-6",
            worst.severity === "critical" ? "bg-danger-ground text-danger" : "bg-overdue-ground text-overdue",
          )}
        >
          <Icon aria-hidden size={15} className="shrink-0" />
          <p className="flex min-w-0 flex-1" title={`${worst.title}. ${worst.remedy}`}>
            <Link
              href={worst.path}
              prefetch={false}
              className="max-w-full shrink-0 truncate rounded-badge font-semibold -outline-offset-2 hover:underline"
            >
              {worst.title}
            </Link>
            <span className="truncate whitespace-pre max-sm:hidden">. {worst.remedy}</span>
          </p>
          <Link
            href="/inbox"
            prefetch={false}
            className="inline-flex h-6 shrink-0 items-center rounded-badge font-medium underline underline-offset-2"
          >
            {unseenCount > 1 ? `and ${shownCount(unseenCount - 1)} more` : "View alert"}
          </Link>
        </div>
      )}
    </div>
  );
}
