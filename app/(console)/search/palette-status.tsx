"use client";
import { TriangleAlert } from "lucide-react";
import { problemOf } from "../../data/problem";
import { Button } from "../../ui/button";

interface PaletteStatusProps {
  text: string;
  count: number;
  isCurrent: boolean;
  hasWrongChecksum: boolean;
  error: unknown;
  onRetry: () => void;
}

/** What came of the search, seen when there is something to say and heard always. */
export function PaletteStatus({
  text,
  count,
  isCurrent,
  hasWrongChecksum,
  error,
  onRetry,
}: PaletteStatusProps) {
  if (error) {
    const { title, requestId } = problemOf(error);
    return (
      <div role="alert" className="flex items-center gap-3 border-line border-t px-4 py-3 text-table">
        <span className="min-w-0 flex-1">
          {title}.{requestId && <span className="text-muted"> Request {requestId}</span>}
        </span>
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  const isNothing = isCurrent && count === 0;
  return (
    <>
      {hasWrongChecksum && (
        <p
          role="alert"
          className="flex items-start gap-2 border-line border-t px-4 py-2.5 text-overdue text-table"
        >
          <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
          The checksum of this address does not fit: a letter may be wrong. Compare it with where it came
          from.
        </p>
      )}
      <div role="status" className={isNothing ? "px-4 py-8 text-center" : "sr-only"}>
        {isNothing && (
          <>
            <p className="font-medium text-body">Nothing fits “{text.trim().slice(0, 80)}”</p>
            <p className="mt-1 text-muted text-table">
              A batch is found by its id or the beginning of it, a contract by label or address, a recipient
              by address.
            </p>
          </>
        )}
        {isCurrent && count > 0 && `${count} ${count === 1 ? "result" : "results"}`}
        {!isCurrent && "Searching"}
      </div>
    </>
  );
}
