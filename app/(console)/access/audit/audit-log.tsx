"use client";
import { LoaderCircle, ScrollText, SearchX } from "lucide-react";
import { problemOf } from "../../../data/problem";
import { formatAmount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { ErrorState } from "../../../ui/error-state";
import { useMediaQuery } from "../../../ui/use-media-query";
import { AccessHead } from "../access-head";
import { AccessSkeleton } from "../access-skeleton";
import { AuditFilterBar } from "./audit-filter-bar";
import { AuditCards, AuditTable } from "./audit-rows";
import { useAudit, useAuditParams } from "./use-audit";

/** What people and the command line changed, newest first. */
export function AuditLog() {
  const { params, clearFilters, filtered } = useAuditParams();
  const { query, entries } = useAudit(params);
  const isPhone = useMediaQuery("(max-width: 767px)");
  const content = () => {
    if (query.isPending) return <AccessSkeleton what="the audit log" />;
    if (query.isError && entries.length === 0) {
      const problem = problemOf(query.error);
      return (
        <ErrorState
          title={problem.title}
          detail={problem.detail}
          requestId={problem.requestId}
          onRetry={() => void query.refetch()}
        >
          {filtered && <Button onClick={clearFilters}>Clear filters</Button>}
        </ErrorState>
      );
    }
    if (entries.length === 0) return filtered ? <NoMatch onClear={clearFilters} /> : <NothingYet />;
    const Rows = isPhone ? AuditCards : AuditTable;
    return <Rows entries={entries} end={<AuditEnd query={query} count={entries.length} />} />;
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead
        here="/access/audit"
        action={
          query.isPlaceholderData && (
            <LoaderCircle aria-label="Loading" size={14} className="animate-spin text-muted" />
          )
        }
      />
      <AuditFilterBar />
      {content()}
    </div>
  );
}

interface AuditEndProps {
  query: ReturnType<typeof useAudit>["query"];
  count: number;
}

/** Below the last line: the way to older ones, or that there are none. */
function AuditEnd({ query, count }: AuditEndProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, error } = query;
  const shown = formatAmount(String(count));
  return (
    <div className="sticky left-0 flex min-h-14 items-center justify-center gap-3 px-4 text-label text-muted tabular-nums">
      {isFetchNextPageError && <span role="alert">{problemOf(error).detail}</span>}
      {hasNextPage ? (
        <>
          <span>{shown} shown</span>
          <Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage && <LoaderCircle aria-hidden size={13} className="animate-spin" />}
            Load more
          </Button>
        </>
      ) : (
        `${shown} ${count === 1 ? "change" : "changes"}, that is all`
      )}
    </div>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={SearchX} title="No change matches these filters">
      <p className="text-muted">Take one away above, or all of them.</p>
      <Button onClick={onClear}>Clear filters</Button>
    </EmptyState>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={ScrollText} title="Nothing was changed yet">
      <p className="text-muted">
        Whatever staff and the command line change is kept here: who, what, when and why. The first entry is
        written with the first change, such as an invitation.
      </p>
    </EmptyState>
  );
}
