"use client";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { TextLink } from "@/app/ui/button";
import { formatInstant } from "@/app/ui/format-time";
import { useServerClock, useTimeZone } from "@/app/ui/time";
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
  useServerClock(data?.now);
  useTabTitle(data?.unseenCount ?? 0);
  return <QueueContext value={data}>{children}</QueueContext>;
}

/** In a badge, a title or a line. */
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

const othersOf = (count: number) =>
  count === 0 ? "" : `, ${shownCount(count)} ${count === 1 ? "other" : "others"}`;

/** What needs somebody, in the numbers of the Alerts page, or that nothing does. There, it has no links. */
export function QueueLine({ isInbox }: { isInbox?: boolean }) {
  const state = useQueueState();
  const { zone } = useTimeZone();
  if (!state) return null;
  const { overdueCount, openCount, criticalCount, unseenCount, nextDueAt, now } = state;
  const inbox = (count: number, words: string) => {
    const text = `${shownCount(count)} ${words}`;
    return isInbox ? text : <TextLink href="/inbox">{text}</TextLink>;
  };
  if (overdueCount + criticalCount > 0)
    return (
      <>
        {overdueCount > 0 && (
          <TextLink href="/batches?status=OVERDUE">{shownCount(overdueCount)} overdue</TextLink>
        )}
        {overdueCount > 0 && criticalCount > 0 && ", "}
        {criticalCount > 0 && inbox(criticalCount, `critical${othersOf(openCount - criticalCount)}`)}
      </>
    );
  if (unseenCount > 0) return inbox(unseenCount, "not seen");
  if (!nextDueAt) return "Nothing needs you. No batch is due.";
  if (nextDueAt <= now) return "Nothing needs you. A batch is due now.";
  const due = formatInstant(nextDueAt, zone);
  const isToday = formatInstant(now, zone).startsWith(due.slice(0, 10));
  return `Nothing needs you. Next due ${due.slice(isToday ? 11 : 0, 16)}.`;
}
