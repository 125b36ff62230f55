"use client";
import { LoaderCircle, ScrollText, SearchX } from "lucide-react";
import { problemOf } from "../../../data/problem";
import { Button } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { ErrorState } from "../../../ui/error-state";
import { MoreRows } from "../../../ui/more-rows";
import { useMediaQuery } from "../../../ui/use-media-query";
import { AccessHead } from "../access-head";
import { AccessSkeleton } from "../access-skeleton";
import { AuditFilterBar } from "./audit-filter-bar";
import { AuditCards, AuditTable } from "./audit-rows";
import { useAudit, useAuditParams } from "./use-audit";

export function AuditLog() {
  const { params, clearFilters, filtered } = useAuditParams();
  const { query, entries } = useAudit(params);
  const isPhone = useMediaQuery("(max-width: 767px)");
  const content = () => {
    if (query.isPending) return <AccessSkeleton what="audit log" />;
    if (query.isError && entries.length === 0) {
      return (
        <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()}>
          {filtered && <Button onClick={clearFilters}>Clear filters</Button>}
        </ErrorState>
      );
    }
    if (entries.length === 0) return filtered ? <NoMatch onClear={clearFilters} /> : <NothingYet />;
    const Rows = isPhone ? AuditCards : AuditTable;
    return (
      <Rows
        entries={entries}
        end={<MoreRows query={query} count={entries.length} one="entry" many="entries" />}
      />
    );
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

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={SearchX} title="No entries match these filters">
      <p className="text-muted">Remove a filter above, or clear them all.</p>
      <Button onClick={onClear}>Clear filters</Button>
    </EmptyState>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={ScrollText} title="No entries yet">
      <p className="text-muted">
        Every change made in the console or on the command line appears here, with the actor, the time and the
        reason. Invite a team member to create the first entry.
      </p>
    </EmptyState>
  );
}
