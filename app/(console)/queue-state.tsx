"use client";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { formatInstant } from "@/app/ui/format-time";
import { useTimeZone } from "@/app/ui/time";
import type { QueueSummary } from "@/server/alerts/queue";

/** Short, so that a colleague's decision is seen within five seconds. */
export const QUEUE_EVERY_MS = 4_000;

const QueueContext = createContext<QueueSummary | null>(null);

/** What waits for a person, in short; null until it is read. */
export const useQueueState = () => use(QueueContext);

export function QueueProvider({ initial, children }: { initial: QueueSummary | null; children: ReactNode }) {
  const trpc = useTRPC();
  const { data = null } = useQuery(
    trpc.console.alerts.summary.queryOptions(undefined, {
      refetchInterval: QUEUE_EVERY_MS,
      ...(initial && { initialData: initial }),
    }),
  );
  useTabTitle(data?.unseenCount ?? 0);
  return <QueueContext value={data}>{children}</QueueContext>;
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

/** On a good day. */
export function NothingNeedsYou() {
  const state = useQueueState();
  const { zone } = useTimeZone();
  if (!state || state.unseenCount > 0) return null;
  const { nextDueAt, now } = state;
  if (!nextDueAt) return "Nothing needs you. No batch is due.";
  const due = formatInstant(nextDueAt, zone);
  const isToday = formatInstant(now, zone).startsWith(due.slice(0, 10));
  return `Nothing needs you. Next due ${due.slice(isToday ? 11 : 0, 16)}.`;
}
