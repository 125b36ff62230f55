"use client";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { TextLink } from "@/app/ui/button";
import { formatDay, formatInstant } from "@/app/ui/format-time";
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

/** What needs somebody, in the numbers of the Alerts page, or that nothing does. It is no link there. */
export function QueueLine({ isInbox }: { isInbox?: boolean }) {
  const state = useQueueState();
  if (!state) return null;
  const { overdueCount, openCount, criticalCount } = state;
  if (overdueCount + openCount === 0) return <NothingToDo {...state} />;
  const open =
    criticalCount > 0
      ? `${shownCount(criticalCount)} critical${othersOf(openCount - criticalCount)}`
      : `${shownCount(openCount)} open ${openCount === 1 ? "alert" : "alerts"}`;
  return (
    <>
      <Marked count={overdueCount} status="OVERDUE" words="overdue" end={openCount > 0 ? ", " : ""} />
      {openCount > 0 && (isInbox ? open : <TextLink href="/inbox">{open}</TextLink>)}
    </>
  );
}

/** What is stopped waits for somebody else, or may stay so for a day. */
function NothingToDo({ stopped, nextDueAt, now }: QueueSummary) {
  const { zone } = useTimeZone();
  if (!stopped) return null;
  const { HELD, AWAITING_APPROVAL } = stopped;
  const isToday = nextDueAt !== null && formatDay(nextDueAt, zone) === formatDay(now, zone);
  const due = nextDueAt && formatInstant(nextDueAt, zone).slice(isToday ? 11 : 0, 16);
  return (
    <>
      Nothing needs you. <Marked count={HELD} status="HELD" words="on hold" end=". " />
      <Marked count={AWAITING_APPROVAL} status="AWAITING_APPROVAL" words="awaiting approval" end=". " />
      {nextDueAt && nextDueAt <= now ? "A batch is due now." : due ? `Next due ${due}.` : "No batch is due."}
    </>
  );
}

type MarkedProps = Record<"status" | "words" | "end", string> & { count: number };

const Marked = ({ count, status, words, end }: MarkedProps) =>
  count > 0 && (
    <>
      <TextLink href={`/batches?status=${status}&sort=DUE`}>{`${shownCount(count)} ${words}`}</TextLink>
      {end}
    </>
  );
