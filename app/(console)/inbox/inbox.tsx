"use client";
import { keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { BellOff, CheckCheck, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { pagedQuery } from "../../data/paged-query";
import { problemOf } from "../../data/problem";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { useChange } from "../../data/use-change";
import { StaleBanner } from "../../ui/banner";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { QueryError } from "../../ui/loaded";
import { MoreRows } from "../../ui/more-rows";
import { Spinner } from "../../ui/spinner";
import { useStaff } from "../staff";
import { AlertRow } from "./alert-row";
import { Channels } from "./channels";
import { InboxFilters } from "./inbox-filters";
import { inboxParams, toAlertFilters } from "./inbox-params";
import Loading from "./loading";

/** A request marks at most this many. */
const MARKED_MAX = 100;

export function Inbox() {
  const { params, setParams, query, alerts } = useInbox();
  const { email } = useStaff();
  const mark = useMarkSeen();
  const unseen = alerts.filter(({ seenBy }) => seenBy.every((view) => view.email !== email));
  const clear = () => void setParams(null);
  const filtered = params.kind !== null || params.unseen !== null || params.state !== "open";
  if (query.isPending) return <Loading />;
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-title">Alerts</h1>
        {query.isPlaceholderData && <Spinner label="Loading" />}
        {unseen.length > 0 && (
          <Button
            icon={CheckCheck}
            className="ml-auto"
            disabled={mark.isPending}
            onClick={() => mark.mutate({ alertIds: unseen.slice(0, MARKED_MAX).map(({ id }) => id) })}
          >
            Mark all as seen
          </Button>
        )}
      </div>
      <InboxFilters {...{ params, setParams, filtered, clear }} />
      {mark.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(mark.error).detail}
        </p>
      )}
      {query.isError && alerts.length > 0 && <StaleBanner what="list" />}
      {query.isError && alerts.length === 0 ? (
        <QueryError query={query} />
      ) : alerts.length === 0 ? (
        <Nothing filtered={filtered} onClear={clear} />
      ) : (
        <ul aria-label="Alerts" className="rounded-card border border-line bg-surface">
          {alerts.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              isSeen={!unseen.includes(alert)}
              busy={mark.isPending}
              onSeen={() => mark.mutate({ alertIds: [alert.id] })}
            />
          ))}
        </ul>
      )}
      {alerts.length > 0 && <MoreRows query={query} count={alerts.length} one="alert" many="alerts" />}
      <Channels />
    </div>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState icon={SearchX} title="No alerts match these filters">
        <p className="text-muted">Ended alerts are kept for 90 days.</p>
        <Button onClick={onClear}>Clear filters</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={BellOff} title="No open alerts">
      <p className="text-muted">
        An alert appears here when batches are overdue, no finalizer runs, a ledger self-check fails, a batch
        is unusual, a batch or change awaits approval, a webhook is disabled, or a prefunded contract runs out
        of points.
      </p>
    </EmptyState>
  );
}

const REFETCH_MS = 15_000;

/** The alerts that the URL's filters show. */
function useInbox() {
  const keys = useTRPC().console.alerts.list;
  const { list } = useTRPCClient().console.alerts;
  const [params, setParams] = useQueryStates(inboxParams, { history: "push" });
  const filters = toAlertFilters(params);
  const query = useInfiniteQuery({
    ...pagedQuery(keys.infiniteQueryKey(filters), (cursor, options) =>
      list.query({ ...filters, cursor }, options),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
  return { params, setParams, query, alerts: query.data?.pages.flatMap((page) => page.alerts) ?? [] };
}

/** Marks alerts as seen by the user, for the list and for what every page shows. */
function useMarkSeen() {
  const { alerts } = useTRPC().console;
  const refresh = useChange([alerts.list.infiniteQueryFilter(), alerts.summary.queryFilter()])();
  return useMutation(alerts.markSeen.mutationOptions(refresh));
}
