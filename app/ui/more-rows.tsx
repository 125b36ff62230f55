"use client";
import { problemOf } from "../data/problem";
import { counted } from "./amount";
import { Button } from "./button";

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
