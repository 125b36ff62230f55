import { problemOf } from "@/app/data/problem";
import { counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";

export interface MoreRowsProps {
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
  if (count === 1 && !query.hasNextPage) return null;
  return (
    <div className="flex min-h-8 items-center justify-center gap-3 hint tabular-nums">
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
