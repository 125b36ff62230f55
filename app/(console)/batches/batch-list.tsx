"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ArrowUp, ChevronDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { parseBatchKey } from "@/app/(console)/batch-key";
import { viewPath } from "@/app/(console)/paths";
import { QueueLine } from "@/app/(console)/queue-state";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { counted, formatCount } from "@/app/ui/amount";
import { Button, ButtonLink, Link, Spinner } from "@/app/ui/button";
import { useLazyPanel } from "@/app/ui/hooks";
import { later } from "@/app/ui/later";
import { MoreRows } from "@/app/ui/more-rows";
import { PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import { Instant, useServerNow, ZoneName } from "@/app/ui/time";
import { FilterBar } from "./filters/filter-bar";
import {
  announcesNewer,
  builtInViews,
  exportParams,
  loadListParams,
  queryOf,
  toNewerInput,
} from "./list-params";
import { onPlainClick } from "./plain-click";
import { BatchTable } from "./table/batch-table";
import { useLines } from "./table/lines";
import { useBatchList } from "./use-batch-list";
import { useInvalidFilters, useListParams } from "./use-list-params";
import { useSelection } from "./use-selection";

const AHEAD = "600px";
/** Loads the next page before the last row is reached. */
function ListEnd({ query, count }: { query: ReturnType<typeof useBatchList>["query"]; count: number }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage } = query;
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
    <div ref={mark} className="sticky left-0 py-2">
      <MoreRows query={query} count={count} one="batch" many="batches" />
    </div>
  );
}

const loadNotes = () => import("./list-notes");
/** Only a filtered list has totals, and they come after its rows. */
const ListTotals = later(
  () => loadNotes().then((notes) => notes.ListTotals),
  () => <div className="min-h-5" />,
);
const BatchSheet = later(() => import("./batch-sheet"));
const SelectionBar = later(() => import("./bulk-buttons").then((module) => module.SelectionBar));
const NoBatches = later(loadNotes, PageSkeleton);
const LimitedSort = later(() => import("./limited-sort").then((module) => module.LimitedSort));
const InvalidFiltersNote = later(() => import("./invalid-filters-note"), PageSkeleton);

const tabLook = (isShown: boolean) =>
  clsx(
    "inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap",
    "rounded-control px-2 font-medium text-table outline-offset-0",
    isShown ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
  );

function ViewTabs({ isInvalid }: { isInvalid: boolean }) {
  const { email } = useStaff();
  const { params: shown, setParams } = useListParams();
  const { Panel, buttonProps } = useLazyPanel(() => import("./list-menus"));
  const button = (
    <button type="button" {...buttonProps} className={tabLook(false)}>
      <span>
        <span className="max-md:hidden">Columns and </span>
        <span className="max-md:inline-block max-md:first-letter:uppercase">export</span>
      </span>
      <ChevronDown size={12} />
    </button>
  );
  return (
    <nav aria-label="Views" className="flex gap-1 overflow-x-auto px-3 py-0.5 md:px-4">
      {builtInViews(email).map(({ name, title, params }) => {
        const query = queryOf(params);
        const isShown = query === queryOf(shown);
        return (
          <Link
            key={name}
            href={viewPath(query)}
            // Without loading the page.
            onClick={onPlainClick(() => void setParams(loadListParams(`?${query}`)))}
            title={title}
            aria-current={isShown ? "page" : undefined}
            className={tabLook(isShown)}
          >
            {name}
          </Link>
        );
      })}
      {!isInvalid && (Panel ? <Panel trigger={button} /> : button)}
    </nav>
  );
}

const NEWER_MAX = 1000;
const NEWER_EVERY_MS = 5_000;

/** On paper: who read the list, and when. The filters are below. */
function PrintedBy({ rows }: { rows: string }) {
  const { email } = useStaff();
  const now = new Date(useServerNow()).toISOString();
  return (
    <p className="not-print:hidden text-table">
      {rows}, printed <Instant at={now} /> <ZoneName /> by {email}
    </p>
  );
}

export function BatchList() {
  const { role } = useStaff();
  const { console: api } = useTRPC();
  const queryClient = useQueryClient();
  const { params, clearFilters, filtered } = useListParams();
  const { query, batches, sortedAmong } = useBatchList(params);
  const ready = query.isSuccess && !query.isPlaceholderData;
  const isListed = ready && !query.hasNextPage && sortedAmong === null;
  // Before the first batch there is nothing to filter or to say about them.
  const isFirst = ready && batches.length === 0 && !filtered;
  const isInvalid = useInvalidFilters().length > 0;
  const newer = useQuery(
    api.batches.newer.queryOptions(toNewerInput(params, batches[0]?.createdAt), {
      enabled: ready && announcesNewer(params),
      refetchInterval: NEWER_EVERY_MS,
      staleTime: 0,
      gcTime: 0,
    }),
  );
  const newerCount = newer.data?.count ?? 0;
  const { lines, fold } = useLines(batches, params.open, params.payout === null);
  const selection = useSelection(params, batches, lines);
  const isSelecting = selection.all || selection.count > 0;

  const refresh = () => {
    void queryClient.resetQueries(api.batches.list.infiniteQueryFilter());
    void queryClient.invalidateQueries(api.batches.facets.pathFilter());
    void queryClient.invalidateQueries(api.batches.totals.queryFilter());
  };

  const content = () => {
    if (isInvalid) return <InvalidFiltersNote filters={exportParams} what="batches" />;
    if (query.isPending) return <PageSkeleton />;
    if (query.isError && batches.length === 0) {
      return (
        <QueryError query={query}>
          {filtered && <Button onClick={clearFilters}>Clear filters</Button>}
        </QueryError>
      );
    }
    // A search of a busy recipient's batches continues page by page until it finds one.
    if (batches.length === 0 && !query.hasNextPage)
      return <NoBatches limited={sortedAmong !== null} newer={ready ? newerCount : 0} refresh={refresh} />;
    const end = <ListEnd query={query} count={batches.length} />;
    return (
      <BatchTable lines={lines} fold={fold} end={end} selection={role === "viewer" ? null : selection} />
    );
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-3 px-4 pt-2 pb-1.5 md:px-6">
        <h1 className="font-semibold text-title">Batches</h1>
        <p className="hint tabular-nums empty:hidden max-sm:order-last max-sm:basis-full">
          {!isFirst && <QueueLine />}
        </p>
        {query.isPlaceholderData && <Spinner label="Loading" />}
        <PrintedBy
          rows={`${query.hasNextPage ? "The first " : ""}${counted(batches.length, "batch", "batches")}`}
        />
        <div role="status" className="ml-auto print:hidden">
          {newerCount > 0 && (
            <Button size="small" onClick={refresh} className="rounded-full! border-accent! text-accent!">
              <ArrowUp size={13} />
              Show {formatCount(Math.min(newerCount, NEWER_MAX))}
              {newerCount > NEWER_MAX && "+"} new
            </Button>
          )}
        </div>
        {role !== "viewer" && (
          <ButtonLink href="/batches/new" variant="primary" size="small">
            New payout
          </ButtonLink>
        )}
      </div>
      <div className={clsx("flex flex-col gap-1 border-line border-b pb-2", isFirst && "hidden")}>
        <ViewTabs isInvalid={isInvalid} />
        {!isInvalid && (
          <>
            <FilterBar />
            {filtered && <ListTotals params={params} ready={ready} isListed={isListed} />}
            {sortedAmong !== null && <LimitedSort params={params} />}
          </>
        )}
        {newer.isError && batches.length > 0 && (
          <div className="px-4 md:px-6">
            <StaleBanner />
          </div>
        )}
      </div>
      {/* Dimmed while the rows still belong to the previous filters. */}
      <div
        aria-busy={query.isPlaceholderData}
        className={clsx(
          "flex min-h-0 flex-1 flex-col aria-busy:opacity-50",
          // The sheet covers no column: all can be scrolled into view.
          parseBatchKey(params.open) && "lg:not-print:pr-[560px]",
        )}
      >
        {content()}
      </div>
      {isSelecting && !isInvalid && <SelectionBar selection={selection} hasMore={query.hasNextPage} />}
      {params.open && <BatchSheet batches={batches} />}
    </div>
  );
}
