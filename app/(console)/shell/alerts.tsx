"use client";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect } from "react";
import type { AlertSummary } from "@/server/alerts/schema";
import { useTRPC } from "../../data/trpc";

const REFETCH_MS = 15_000;
const NONE: AlertSummary = { unseen: [], unseenCount: 0 };

const AlertsContext = createContext<AlertSummary>(NONE);

/** Alerts that the user has not marked as seen. */
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
