"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { usePathname } from "next/navigation";
import { createContext, type ReactNode, use, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { Link } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import type { AlertSummary } from "@/server/alerts/inbox";

const REFETCH_MS = 15_000;
const NONE: AlertSummary = { unseen: [], unseenCount: 0 };

const AlertsContext = createContext<AlertSummary>(NONE);

export const useAlerts = () => use(AlertsContext);

export function AlertsProvider({ initial, children }: { initial: AlertSummary | null; children: ReactNode }) {
  const trpc = useTRPC();
  const { data = NONE } = useQuery(
    trpc.console.alerts.summary.queryOptions(undefined, {
      refetchInterval: REFETCH_MS,
      ...(initial && { initialData: initial }),
    }),
  );
  useTabTitle(data.unseenCount);
  return <AlertsContext value={data}>{children}</AlertsContext>;
}

/** The server counts up to 100. */
export const shownCount = (count: number) => (count < 100 ? String(count) : "99+");

const PREFIX = /^\((?:\d+|99\+)\) /;

/** Puts the count in front of the title again whenever a page changes it. */
function useTabTitle(count: number): void {
  useEffect(() => {
    const put = () => {
      const plain = document.title.replace(PREFIX, "");
      const wanted = count > 0 ? `(${shownCount(count)}) ${plain}` : plain;
      if (document.title !== wanted) document.title = wanted;
    };
    put();
    const observer = new MutationObserver(put);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}

/** The worst alert, on every page but the inbox. Always rendered, so that screen readers announce it. */
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
          <Icon size={15} className="shrink-0" />
          <p className="flex min-w-0 flex-1" title={`${worst.title}. ${worst.remedy}`}>
            <Link
              href={worst.path}
              className="max-w-full shrink-0 truncate rounded-badge
                font-semibold -outline-offset-2 hover:underline"
            >
              {worst.title}
            </Link>
            <span className="truncate whitespace-pre max-sm:hidden">. {worst.remedy}</span>
          </p>
          <Link
            href="/inbox"
            className="inline-flex h-6 shrink-0 items-center rounded-badge
              font-medium underline underline-offset-2"
          >
            {unseenCount > 1 ? `and ${shownCount(unseenCount - 1)} more` : "View alert"}
          </Link>
        </div>
      )}
    </div>
  );
}
