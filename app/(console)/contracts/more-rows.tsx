"use client";
import { LoaderCircle } from "lucide-react";
import { problemOf } from "../../data/problem";
import { formatAmount } from "../../ui/amount";
import { Button } from "../../ui/button";

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

export function MoreRows({ query, count, one, many }: MoreRowsProps) {
  const shown = `${formatAmount(String(count))} ${count === 1 ? one : many}`;
  return (
    <div className="flex min-h-8 items-center justify-center gap-3 text-label text-muted tabular-nums">
      {query.isFetchNextPageError && <span role="alert">{problemOf(query.error).detail}</span>}
      {query.hasNextPage ? (
        <>
          {shown} shown
          <Button size="small" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage && <LoaderCircle aria-hidden size={13} className="animate-spin" />}
            Load more
          </Button>
        </>
      ) : (
        shown
      )}
    </div>
  );
}
