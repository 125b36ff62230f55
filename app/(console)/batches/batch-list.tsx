"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp, Bookmark, ChevronDown } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { counted, formatCount } from "@/app/ui/amount";
import { Button, ButtonLink, Spinner } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { useLazyPanel, useMediaQuery } from "@/app/ui/hooks";
import { PageSkeleton, StaleBanner } from "@/app/ui/states";
import { FilterBar } from "./filters/filter-bar";
import { builtInViews, queryOf, type View } from "./list-params";
import { countWords, useSelection } from "./selection/use-selection";
import { batchesOf } from "./status";
import { BatchTable } from "./table/batch-table";
import {
  useBatchList,
  useInvalidFilters,
  useListParams,
  useNewerCount,
  useView,
  useViewCounts,
  ViewLink,
} from "./use-batch-list";

const AHEAD = "600px";

interface ListEndProps {
  query: ReturnType<typeof useBatchList>["query"];
  count: number;
}

/** Loads the next page before the last row is reached. */
function ListEnd({ query, count }: ListEndProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage, error } =
    query;
  const mark = useRef<HTMLDivElement>(null);
  const mayLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData;
  useEffect(() => {
    const element = mark.current;
    if (!mayLoad || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage();
      },
      { root: element.parentElement, rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [mayLoad, fetchNextPage]);
  return (
    <div
      ref={mark}
      className="sticky left-0 flex h-12 items-center justify-center gap-3 text-label text-muted tabular-nums"
    >
      {isFetchNextPageError ? (
        <>
          <span role="alert">{problemOf(error).detail}</span>
          <Button size="small" onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </>
      ) : hasNextPage ? (
        <>
          <Spinner />
          {formatCount(count)} shown, loading more
        </>
      ) : (
        batchesOf(count)
      )}
    </div>
  );
}

/** Code that the first paint does not need. */
const later = <Props extends object>(load: () => Promise<ComponentType<Props>>, loading?: () => ReactNode) =>
  dynamic(load, { ssr: false, loading });
const loadNotes = () => import("./list-notes");
const BatchCards = later(
  () => import("./table/batch-cards").then((module) => module.BatchCards),
  PageSkeleton,
);
/** Only a filtered list has totals, and they come after its rows. */
const ListTotals = later(
  () => import("./list-totals").then((module) => module.ListTotals),
  () => <div className="min-h-5" />,
);
const BatchSheet = later(() => import("./batch-sheet").then((module) => module.BatchSheet));
const SelectionBar = later(() => import("./selection/bulk-buttons").then((module) => module.SelectionBar));
const NoBatches = later(() => loadNotes().then((notes) => notes.NoBatches), PageSkeleton);
const InvalidFilters = later(() => loadNotes().then((notes) => notes.InvalidFilters), PageSkeleton);
const LimitedSort = later(() => loadNotes().then((notes) => notes.LimitedSort));
const UnfinishedUploadNote = later(() => import("./uploads").then((module) => module.UnfinishedUploadNote));
const ErrorState = later(() => import("@/app/ui/states").then((module) => module.ErrorState));

const loadPanel = () => import("./list-menus").then((module) => module.SavedViews);
const FRESH_MS = 60_000;

/** Of those that somebody should look at. */
const COUNT_COLORS: Partial<Record<NonNullable<View["counted"]>, string>> = {
  overdue: "text-overdue",
  held: "text-held",
  awaitingApproval: "text-held",
};

/** `ready` once the rows are there: saved views can wait for them. */
function ViewTabs({ ready, counts }: { ready: boolean; counts: ReturnType<typeof useViewCounts>["data"] }) {
  const { email } = useStaff();
  const { query } = useView();
  const trpc = useTRPC();
  const views = useQuery(
    trpc.console.views.list.queryOptions(undefined, { staleTime: FRESH_MS, enabled: ready }),
  );
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const builtIn = builtInViews(email).map((view) => ({ ...view, query: queryOf(view.params) }));
  const saved = builtIn.some((view) => view.query === query)
    ? undefined
    : views.data?.find((view) => view.query === query);
  const button = (
    <button
      type="button"
      {...buttonProps}
      className={classNames(
        "inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-control px-2 font-medium text-table outline-offset-0",
        saved ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
      )}
    >
      <Bookmark aria-hidden size={13} />
      <span className="max-w-44 truncate">{saved?.name ?? "Saved views"}</span>
      <ChevronDown aria-hidden size={12} />
    </button>
  );
  return (
    <nav aria-label="Views" className="flex gap-1 overflow-x-auto px-3 py-0.5 md:px-4">
      {builtIn.map((view) => (
        <ViewLink
          key={view.name}
          query={view.query}
          title={view.title}
          className={classNames(
            "flex h-7 shrink-0 items-center whitespace-nowrap rounded-control px-2 font-medium text-table outline-offset-0",
            view.query === query ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
          )}
        >
          {view.name}
          {view.counted && Boolean(counts?.[view.counted]) && (
            <span className={classNames("ml-1.5 tabular-nums", COUNT_COLORS[view.counted] ?? "text-muted")}>
              {countWords(counts, counts?.[view.counted])}
            </span>
          )}
        </ViewLink>
      ))}
      {Panel ? <Panel trigger={button} /> : button}
    </nav>
  );
}

const NEWER_MAX = 1000;

export function BatchList() {
  const { role } = useStaff();
  const { params, clearFilters, filtered } = useListParams();
  const { query, batches, asOf, sortedAmong } = useBatchList(params);
  const ready = query.isSuccess && !query.isPlaceholderData;
  const invalid = useInvalidFilters();
  const { count: newer, failed } = useNewerCount(params, { newest: batches[0] ?? null, readAt: asOf }, ready);
  const counts = useViewCounts(ready);
  const running = useRunningJobs(ready);
  const isPhone = useMediaQuery("(max-width: 767px)");
  const refresh = useRefresh();
  const selection = useSelection(params, batches);
  const isSelecting = selection.all || selection.count > 0;
  const [sheetUsed, setSheetUsed] = useState(false);
  if (params.open && !sheetUsed) setSheetUsed(true);

  const content = () => {
    if (invalid.length > 0) return <InvalidFilters filters={invalid} />;
    if (query.isPending) return <PageSkeleton />;
    if (query.isError && batches.length === 0) {
      return (
        <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()}>
          {filtered && <Button onClick={clearFilters}>Clear filters</Button>}
        </ErrorState>
      );
    }
    // A search of a busy recipient's batches continues page by page until it finds one.
    if (batches.length === 0 && !query.hasNextPage) return <NoBatches limited={sortedAmong !== null} />;
    const Rows = isPhone ? BatchCards : BatchTable;
    const end = <ListEnd query={query} count={batches.length} />;
    return <Rows batches={batches} asOf={asOf} end={end} selection={role === "viewer" ? null : selection} />;
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-3 px-4 pt-2 pb-1.5 md:px-6">
        <h1 className="font-semibold text-title">Batches</h1>
        {query.isPlaceholderData && <Spinner label="Loading" />}
        <div role="status" className="ml-auto">
          {newer > 0 && (
            <Button size="small" onClick={refresh} className="rounded-full! border-accent! text-accent!">
              <ArrowUp aria-hidden size={13} />
              Show {formatCount(Math.min(newer, NEWER_MAX))}
              {newer > NEWER_MAX && "+"} {params.status?.includes("OVERDUE") ? "more overdue" : "new"}
            </Button>
          )}
        </div>
        {running > 0 && (
          <ButtonLink href="/batches/jobs" variant="ghost" size="small">
            {counted(running, "bulk job running", "bulk jobs running")}
          </ButtonLink>
        )}
        {role !== "viewer" && (
          <ButtonLink href="/batches/new" variant="primary" size="small">
            New batch
          </ButtonLink>
        )}
      </div>
      <div className="flex flex-col gap-1 border-line border-b pb-2">
        <ViewTabs ready={ready} counts={counts.data} />
        {invalid.length === 0 && (
          <>
            <FilterBar />
            {filtered && <ListTotals params={params} ready={ready} />}
            {params.upload && <UnfinishedUploadNote uploadId={params.upload} />}
            {sortedAmong !== null && <LimitedSort params={params} />}
          </>
        )}
        {(failed || counts.isError) && batches.length > 0 && (
          <div className="px-4 md:px-6">
            <StaleBanner />
          </div>
        )}
      </div>
      {/* Dimmed while the rows still belong to the previous filters. */}
      <div
        aria-busy={query.isPlaceholderData}
        className={classNames(
          "flex min-h-0 flex-1 flex-col",
          query.isPlaceholderData && "opacity-50",
          // The sheet covers no column: all can be scrolled into view.
          params.open && "lg:pr-[560px]",
        )}
      >
        {content()}
      </div>
      {isSelecting && invalid.length === 0 && (
        <SelectionBar selection={selection} hasMore={query.hasNextPage} />
      )}
      {sheetUsed && <BatchSheet batches={batches} />}
    </div>
  );
}

const JOBS_EVERY_MS = 30_000;

function useRunningJobs(enabled: boolean): number {
  const options = { enabled, refetchInterval: JOBS_EVERY_MS };
  const { data } = useQuery(useTRPC().console.bulk.recent.queryOptions(undefined, options));
  return data?.filter(({ status }) => status === "RUNNING").length ?? 0;
}

function useRefresh(): () => void {
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  return () => {
    void queryClient.resetQueries(trpc.console.batches.list.infiniteQueryFilter());
    void queryClient.invalidateQueries(trpc.console.batches.facets.pathFilter());
    void queryClient.invalidateQueries(trpc.console.batches.totals.queryFilter());
  };
}
