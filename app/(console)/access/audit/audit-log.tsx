"use client";
import { ScrollText, SearchX } from "lucide-react";
import { Button } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { QueryError } from "../../../ui/loaded";
import { MoreRows } from "../../../ui/more-rows";
import { Spinner } from "../../../ui/spinner";
import { AccessHead } from "../access-head";
import { AccessSkeleton } from "../access-skeleton";
import { AuditFilterBar } from "./audit-filter-bar";
import { AuditTable } from "./audit-table";
import { useAudit, useAuditParams } from "./use-audit";

export function AuditLog() {
  const { params, clearFilters, filtered } = useAuditParams();
  const { query, entries } = useAudit(params);
  const clear = filtered && <Button onClick={clearFilters}>Clear filters</Button>;
  const content = () => {
    if (query.isPending) return <AccessSkeleton what="audit log" />;
    if (query.isError && entries.length === 0) return <QueryError query={query}>{clear}</QueryError>;
    if (entries.length > 0) {
      const end = <MoreRows query={query} count={entries.length} one="entry" many="entries" />;
      return <AuditTable entries={entries} end={end} />;
    }
    if (!clear) return <NoEntries />;
    return (
      <EmptyState icon={SearchX} title="No entries match these filters">
        <p className="text-muted">Remove a filter above, or clear them all.</p>
        {clear}
      </EmptyState>
    );
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead here="/access/audit" action={query.isPlaceholderData && <Spinner label="Loading" />} />
      <AuditFilterBar />
      {content()}
    </div>
  );
}

function NoEntries() {
  return (
    <EmptyState icon={ScrollText} title="No entries yet">
      <p className="text-muted">
        Every change made in the console or on the command line appears here, with the actor, the time and the
        reason. Invite a team member to create the first entry.
      </p>
    </EmptyState>
  );
}
