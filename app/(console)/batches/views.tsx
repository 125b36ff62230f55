"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, ChevronDown } from "lucide-react";
import { useLazyPanel } from "@/app/ui/hooks";
import { useTRPC } from "../../data/trpc";
import { classNames } from "../../ui/class-names";
import { useStaff } from "../staff";
import { builtInViews, queryOf, type View } from "./list-params";
import { countWords } from "./selection/use-selection";
import { useFacets, useView, ViewLink } from "./use-batch-list";

const loadPanel = () => import("./saved-views").then((module) => module.SavedViews);
const FRESH_MS = 60_000;

/** Of those that somebody should look at. */
const COUNT_COLORS: Partial<Record<NonNullable<View["counted"]>, string>> = {
  overdue: "text-overdue",
  held: "text-held",
  awaitingApproval: "text-held",
};

/** `ready` once the rows are there: saved views can wait for them. */
export function ViewTabs({ ready }: { ready: boolean }) {
  const { email } = useStaff();
  const { query } = useView();
  const trpc = useTRPC();
  const views = useQuery(
    trpc.console.views.list.queryOptions(undefined, { staleTime: FRESH_MS, enabled: ready }),
  );
  const { data: facets } = useFacets({}, ready);
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
          {view.counted && Boolean(facets?.[view.counted]) && (
            <span className={classNames("ml-1.5 tabular-nums", COUNT_COLORS[view.counted] ?? "text-muted")}>
              {countWords(facets, facets?.[view.counted])}
            </span>
          )}
        </ViewLink>
      ))}
      {Panel ? <Panel trigger={button} /> : button}
    </nav>
  );
}
