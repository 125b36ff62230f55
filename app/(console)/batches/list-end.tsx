"use client";
import { useEffect, useRef } from "react";
import { formatCount } from "@/app/ui/amount";
import { Button, Spinner } from "@/app/ui/button";
import { problemOf } from "../../data/problem";
import { batchesOf } from "./count-words";
import type { useBatchList } from "./use-batch-list";

const AHEAD = "600px";

interface ListEndProps {
  query: ReturnType<typeof useBatchList>["query"];
  count: number;
}

/** Loads the next page before the last row is reached. */
export function ListEnd({ query, count }: ListEndProps) {
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
