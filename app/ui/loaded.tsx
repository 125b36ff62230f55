"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { problemOf } from "@/app/data/problem";
import { Button } from "./buttons";
import { classNames } from "./class-names";
import { CopyButton } from "./copy";
import { EmptyState, Skeleton } from "./states";
import { counted } from "./text";

interface ErrorStateProps {
  title: string;
  heading?: "h1" | "h2";
  detail: string;
  requestId?: string;
  /** Name of the ID, when it is not a request ID. */
  idName?: string;
  onRetry?: () => void;
  children?: React.ReactNode;
}

export function ErrorState(props: ErrorStateProps) {
  const { title, heading, detail, requestId, idName = "Request ID", onRetry, children } = props;
  return (
    <div role="alert">
      <EmptyState icon={TriangleAlert} heading={heading} title={title}>
        <p className="text-body text-muted">{detail}</p>
        {requestId && (
          <p className="flex items-center gap-1 text-label text-muted">
            {idName} <code className="font-mono">{requestId}</code>
            <CopyButton value={requestId} what={idName.replace(/^./, (first) => first.toLowerCase())} />
          </p>
        )}
        <div className="flex gap-2">
          {onRetry && (
            <Button icon={RotateCw} onClick={onRetry}>
              Try again
            </Button>
          )}
          {children}
        </div>
      </EmptyState>
    </div>
  );
}

interface FailedQuery {
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: FailedQuery & { data: Data | undefined; isPending: boolean };
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What a query has read, also after a later update failed. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return query.isPending ? skeleton : <QueryError query={query} />;
}

export function QueryError({ query, children }: { query: FailedQuery; children?: ReactNode }) {
  return (
    <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()}>
      {children}
    </ErrorState>
  );
}

interface MoreRowsProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
  count: number;
  one: string;
  many: string;
}

/** The end of a list that is loaded page by page: how many rows are shown, and a button for more. */
export function MoreRows({ query, count, one, many }: MoreRowsProps) {
  const shown = counted(count, one, many);
  return (
    <div className="flex min-h-8 items-center justify-center gap-3 text-label text-muted tabular-nums">
      {query.isFetchNextPageError && <span role="alert">{problemOf(query.error).detail}</span>}
      {query.hasNextPage ? (
        <>
          {shown} shown
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </>
      ) : (
        shown
      )}
    </div>
  );
}

interface ListSkeletonProps {
  label: string;
  rows?: number;
  /** Height of a row, or of a card on phones. */
  rowHeight: string;
  columns: readonly string[];
  /** Lines of a card on phones. */
  cardLines: number;
  /** With a border inside the page's padding; otherwise edge to edge, below a header row. */
  framed?: boolean;
}

/** A client component only so that a page names it in a line: its rows are 33 kB when the server sends them. */
export function ListSkeleton({ label, rows = 10, rowHeight, columns, cardLines, framed }: ListSkeletonProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className={framed ? "rounded-card border border-line bg-surface" : "min-h-0 flex-1 overflow-hidden"}
    >
      <div className="h-9 border-line border-b bg-surface max-md:hidden" hidden={framed} />
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
          key={row}
          className={classNames(
            "flex items-center gap-8 border-line border-b bg-surface px-4",
            framed ? "last:border-b-0" : "md:px-6",
            rowHeight,
          )}
        >
          {columns.map((width, index) => (
            <Skeleton
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
              key={index}
              className={classNames("h-4 max-md:hidden", width)}
            />
          ))}
          <div className="flex flex-1 flex-col gap-3 md:hidden">
            {Array.from({ length: cardLines }, (_, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by position
              <div key={line} className="flex justify-between">
                <Skeleton className={classNames("h-4", line % 2 ? "w-24" : "w-36")} />
                <Skeleton className="h-4 w-16" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
