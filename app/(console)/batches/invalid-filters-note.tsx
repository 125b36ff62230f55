"use client";
import { SearchX } from "lucide-react";
import { Button } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/states";
import type { ShownStatus } from "./list-params";

interface InvalidFiltersNoteProps {
  /** As `name=value`. */
  filters: readonly string[];
  /** What the list has: "batches". */
  what: string;
  /** The valid ones, which stay: without them the list would have more than the link means. */
  statuses: readonly ShownStatus[] | null;
  setParams: (params: Record<string, null | ShownStatus[]>) => unknown;
}

/** Shown instead of a list: without the filter, it would have rows that the link does not mean. */
export function InvalidFiltersNote({ filters, what, statuses, setParams }: InvalidFiltersNoteProps) {
  const remove = () => {
    const names = filters.map((filter) => filter.slice(0, filter.indexOf("=")));
    const kept = statuses?.length ? [...statuses] : null;
    setParams(Object.fromEntries(names.map((name) => [name, name === "status" ? kept : null])));
  };
  return (
    <EmptyState icon={SearchX} title="This link has invalid filters">
      <ul className="break-all font-mono text-mono">
        {filters.map((filter) => (
          <li key={filter}>{filter}</li>
        ))}
      </ul>
      <p className="text-muted">
        No {what} are shown, because ignoring these filters would show the wrong ones. Fix the link, or remove
        them.
      </p>
      <Button onClick={remove}>Remove invalid filters</Button>
    </EmptyState>
  );
}
