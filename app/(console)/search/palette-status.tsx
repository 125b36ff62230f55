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

/** Always announced to screen readers; visible only for errors, warnings and empty results. */
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
          {title}.{requestId && <span className="text-muted"> Request ID {requestId}</span>}
        </span>
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  const isEmpty = isCurrent && count === 0;
  return (
    <>
      {hasWrongChecksum && (
        <p
          role="alert"
          className="flex items-start gap-2 border-line border-t px-4 py-2.5 text-overdue text-table"
        >
          <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
          The checksum of this address does not match, so a character may be wrong. Compare it with its
          source.
        </p>
      )}
      <div role="status" className={isEmpty ? "px-4 py-8 text-center" : "sr-only"}>
        {isEmpty && (
          <>
            <p className="font-medium text-body">No results for “{text.trim().slice(0, 80)}”</p>
            <p className="mt-1 text-muted text-table">
              Search by the start of a batch ID, a contract label or address, or a recipient address.
            </p>
          </>
        )}
        {isCurrent && count > 0 && `${count} ${count === 1 ? "result" : "results"}`}
        {!isCurrent && "Searching"}
      </div>
    </>
  );
}
