"use client";

import type { QueryKey } from "@tanstack/react-query";
import { problemOf } from "@/app/data/problem";
import { counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { DataTable, type DataTableProps } from "@/app/ui/data-table";

/**
 * Options of a list that is loaded page by page. tRPC's own `infiniteQueryOptions` would add a `direction`, which the inputs
 * of the lists do not have.
 */
export const pagedQuery = <Input extends object, Page extends { cursor: string | null }>(
  { infiniteQueryKey }: { infiniteQueryKey: (input: Input) => QueryKey },
  query: (input: Input & { cursor: string | null }, options: { signal: AbortSignal }) => Promise<Page>,
  input: Input,
) => ({
  queryKey: infiniteQueryKey(input),
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    query({ ...input, cursor: pageParam }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page: Page) => page.cursor,
});

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

/** A table that is loaded page by page. */
export const PagedTable = <Row,>({
  query,
  one,
  many,
  ...table
}: DataTableProps<Row> & Omit<MoreRowsProps, "count">) => (
  <>
    <DataTable {...table} />
    {table.rows.length > 0 && <MoreRows query={query} count={table.rows.length} one={one} many={many} />}
  </>
);
