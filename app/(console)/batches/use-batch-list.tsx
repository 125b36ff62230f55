"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useMemo, useState } from "react";
import { invalidNames } from "@/app/data/invalid-names";
import { usePages, useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { Link } from "@/app/ui/button";
import { useServerClock } from "@/app/ui/time";
import { useRowWindow } from "@/app/ui/use-row-window";
import type { BulkPreviewInput } from "@/server/batches/bulk/schema";
import type { BatchFacets, CappedCounts, ConsoleBatch } from "@/server/batches/list/console-schema";
import {
  exportParams,
  type FilterParams,
  filterParams,
  type ListParams,
  listParams,
  loadListParams,
  queryOf,
  type ShownStatus,
  toFilters,
  toListInput,
  viewPath,
} from "./list-params";
import { batchKey, keyOf, parseBatchKey, withinUrl } from "./paths";
import { isOpen } from "./status";

const NO_FILTERS = Object.fromEntries(Object.keys(filterParams).map((name) => [name, null])) as {
  [Name in keyof FilterParams]: null;
};

/** The list's state is in the URL, and Back undoes each change. */
export function useListParams() {
  const [params, setParams] = useQueryStates(listParams, { history: "push" });
  const clearFilters = () => void setParams(NO_FILTERS);
  const filtered = Object.keys(filterParams).some((name) => params[name as keyof FilterParams] !== null);
  return { params, setParams, clearFilters, filtered };
}

export function useInvalidFilters(): string[] {
  const search = useSearchParams();
  const { params } = useListParams();
  return invalidNames(search, params).filter((name) => name in exportParams);
}

export const COUNTS_EVERY_MS = 15_000;
/** How long Back still finds the loaded rows. */
const KEPT_MS = 300_000;

/** Rows are fetched once and newer ones only counted, so that rows never move under the pointer. */
export function useBatchList(params: ListParams) {
  const query = useInfiniteQuery({
    ...usePages(useTRPC().console.batches.list, toListInput(params)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const pages = query.data?.pages;
  const batches = useMemo(() => pages?.flatMap((page) => page.batches) ?? [], [pages]);
  useServerClock(pages?.at(-1)?.now);
  return {
    query,
    batches,
    asOf: pages?.[0]?.now ?? "1970-01-01T00:00:00Z",
    sortedAmong: pages?.[0]?.sortedAmong ?? null,
  };
}

const LIVE_EVERY_MS = 4_000;

/** In one request. A row that no longer matches the filters keeps its place until the list is reloaded. */
function useLiveRows(batches: ConsoleBatch[], first: number, last: number) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [known] = useState(() => new Map<string, { batch: ConsoleBatch; now: string }>());
  /** From the last refresh or from the open batch, whichever is newer. */
  const read = (batch: ConsoleBatch): ConsoleBatch => {
    const row = known.get(batchKey(batch));
    const open = queryClient.getQueryData(trpc.console.batches.get.queryKey(keyOf(batch)));
    return open && (!row || open.now > row.now) ? open : (row?.batch ?? batch);
  };
  const open = batches.slice(first, last + 1).filter((batch) => isOpen(read(batch)));
  const keys = withinUrl(open.map(batchKey));
  const { data } = useQuery(
    trpc.console.batches.refresh.queryOptions(
      { keys },
      { enabled: keys.length > 0, refetchInterval: LIVE_EVERY_MS, staleTime: LIVE_EVERY_MS, gcTime: 0 },
    ),
  );
  if (data?.now) {
    for (const batch of data.batches) known.set(batchKey(batch), { batch, now: data.now });
  }
  useServerClock(data?.now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reply changes `known`
  return useMemo(() => batches.map(read), [batches, data, keys.join()]);
}

interface Place {
  top: number;
  /** The link of the row that was opened last. */
  href: string | null;
}

/** By history entry, so that Back finds what its list had, and a new visit starts at the top. */
const places = new Map<string, Place>();

/** The current history entry. Browsers without the Navigation API keep no place. */
const entryKey = () => window.navigation?.currentEntry?.key;

/** Rows are drawn once they are loaded and the list has scrolled. */
const DRAWN_WITHIN_MS = 10_000;

let frame = 0;

/** Waits until it is drawn. @param isForced also if something else has the focus @returns a function that stops waiting */
export function focusRow(href: string, isForced = false): () => void {
  const until = performance.now() + DRAWN_WITHIN_MS;
  const look = () => {
    if (!isForced && document.activeElement !== document.body) return;
    const link = document.querySelector<HTMLElement>(`[data-batch-link][href="${CSS.escape(href)}"]`);
    if (link) link.focus({ preventScroll: true });
    else if (performance.now() < until) frame = requestAnimationFrame(look);
  };
  const stop = () => cancelAnimationFrame(frame);
  stop();
  if (isForced) look();
  else frame = requestAnimationFrame(look);
  return stop;
}

function useKeptPlace(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const region = scroller.current;
    const key = entryKey();
    if (!region || !key) return;
    const place = places.get(key) ?? { top: 0, href: null };
    if (place.top > 0) region.scrollTop = place.top;
    const stopFocus = place.href === null ? undefined : focusRow(place.href);
    const keep = () => {
      const at = entryKey();
      // A list that has just been replaced may still listen, and is scrolled to the top.
      if (at && region.isConnected) places.set(at, { ...place, top: region.scrollTop });
    };
    const noteRow = (event: Event) => {
      const link = (event.target as HTMLElement).closest("tr, li")?.querySelector("[data-batch-link]");
      place.href = link?.getAttribute("href") ?? place.href;
      keep();
    };
    // Opening the sheet adds an entry without scrolling.
    window.navigation.addEventListener("currententrychange", keep);
    region.addEventListener("scroll", keep, { passive: true });
    region.addEventListener("click", noteRow, { capture: true });
    return () => {
      stopFocus?.();
      window.navigation.removeEventListener("currententrychange", keep);
      region.removeEventListener("scroll", keep);
      region.removeEventListener("click", noteRow, { capture: true });
    };
  }, [scroller]);
}

export function useDrawnRows(batches: ConsoleBatch[], rowPx: number) {
  const drawn = useRowWindow(batches.length, rowPx);
  useKeptPlace(drawn.scroller);
  return { ...drawn, live: useLiveRows(batches, drawn.rows[0] ?? 0, drawn.rows.at(-1) ?? 0) };
}

/** With a modifier key, a link does what the browser does. */
export const onPlainClick = (run: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  run();
};

interface ViewLinkProps {
  query: string;
  title?: string;
  className: string;
  onShow?: () => void;
  children: ReactNode;
}

/** A link to a view. A plain click changes the list without loading the page. */
export function ViewLink({ query, title, className, onShow, children }: ViewLinkProps) {
  const { params, setParams } = useListParams();
  const open = onPlainClick(() => {
    void setParams(loadListParams(`?${query}`));
    onShow?.();
  });
  return (
    <Link
      href={viewPath(query)}
      onClick={open}
      title={title}
      aria-current={query === queryOf(params) ? "page" : undefined}
      className={className}
    >
      {children}
    </Link>
  );
}

export type Selection = ReturnType<typeof useSelection>;

interface State {
  /** The filters it belongs to: other filters start without a selection. */
  scope: string;
  keys: ReadonlySet<string>;
  all: boolean;
  anchor: number | null;
}

export function useSelection(params: ListParams, batches: readonly ConsoleBatch[]) {
  const filters = toFilters(params);
  const none: State = { scope: JSON.stringify(filters), keys: new Set(), all: false, anchor: null };
  const [stored, setState] = useState(none);
  const state = stored.scope === none.scope ? stored : none;
  const { keys, all, anchor } = state;

  const keysOf = (from: number, to: number) =>
    batches.slice(Math.min(from, to), Math.max(from, to) + 1).map(batchKey);
  const selectedOf = (rows: readonly ConsoleBatch[]) =>
    all ? rows.length : rows.filter((batch) => keys.has(batchKey(batch))).length;
  const count = selectedOf(batches);

  return {
    /** Selected rows; ignored while `all`. */
    count: keys.size,
    /** Every batch that matches the filters, loaded or not. */
    all,
    has: (batch: ConsoleBatch) => all || keys.has(batchKey(batch)),
    loaded: count === 0 ? false : count === batches.length || ("some" as const),
    /** @param range from the row toggled last to this one */
    toggle: (index: number, range: boolean) => {
      const batch = batches[index];
      if (!batch) return;
      const key = batchKey(batch);
      const before = new Set(all ? batches.map(batchKey) : keys);
      const isOn = before.has(key);
      if (range && anchor !== null) for (const each of keysOf(anchor, index)) before.add(each);
      else if (isOn) before.delete(key);
      else before.add(key);
      setState({ ...state, keys: before, all: false, anchor: index });
    },
    toggleLoaded: () =>
      setState(count === batches.length ? none : { ...none, keys: new Set(batches.map(batchKey)) }),
    selectAll: () => setState({ ...none, all: true }),
    clear: () => setState(none),
    chosen: (all
      ? { filters }
      : { keys: [...keys].flatMap((key) => parseBatchKey(key) ?? []) }) satisfies BulkPreviewInput["chosen"],
  };
}

export function countOf(facets: BatchFacets, status: ShownStatus): number {
  if (status === "AWAITING_APPROVAL") return facets.awaitingApproval;
  if (status === "OVERDUE") return facets.overdue;
  return status === "HELD" ? facets.held : facets.statuses[status];
}

/** A count as the list shows it: `10,000+` for more than were counted, and nothing while it is loaded. */
export function countWords(counted: CappedCounts | undefined, count: number | undefined): string {
  if (!counted || count === undefined) return "";
  const isLeast = !counted.isWhole || count > counted.countMax;
  return `${formatCount(Math.min(count, counted.countMax))}${isLeast ? "+" : ""}`;
}
