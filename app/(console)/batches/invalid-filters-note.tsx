"use client";
import { SearchX } from "lucide-react";
import { Button } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/empty-state";
import type { ShownStatus } from "./list-params";

interface InvalidFiltersNoteProps {
  /** As `name=value`. */
  filters: readonly string[];
  /** What the list has: "batches". */
  what: string;
  onRemove: () => void;
}

/** Shown instead of a list: without the filter, it would have rows that the link does not mean. */
export function InvalidFiltersNote({ filters, what, onRemove }: InvalidFiltersNoteProps) {
  const isOne = filters.length === 1;
  return (
    <EmptyState icon={SearchX} title={`This link has ${isOne ? "an invalid filter" : "invalid filters"}`}>
      <ul className="break-all font-mono text-mono">
        {filters.map((filter) => (
          <li key={filter}>{filter}</li>
        ))}
      </ul>
      <p className="text-muted">
        No {what} are shown, because ignoring {isOne ? "it" : "them"} would show the wrong ones. Fix the link,
        or remove {isOne ? "the filter" : "these filters"}.
      </p>
      <Button onClick={onRemove}>Remove {isOne ? "the filter" : "these filters"}</Button>
    </EmptyState>
  );
}

/** Parameters that remove the invalid filters. Statuses that are valid stay. */
export function withoutInvalid(filters: readonly string[], statuses: readonly ShownStatus[] | null) {
  const names = filters.map((filter) => filter.slice(0, filter.indexOf("=")));
  const kept = statuses?.length ? statuses : null;
  return Object.fromEntries(names.map((name) => [name, name === "status" ? kept : null]));
}
