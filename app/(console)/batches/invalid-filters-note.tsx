"use client";
import { Search } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { Button } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/states";
import type { ShownStatus } from "./list-params";

interface InvalidFiltersNoteProps {
  filters: readonly string[];
  /** What the list has: "batches". */
  what: string;
  /** The valid ones, which stay: without them the list would have more than the link means. */
  statuses: readonly ShownStatus[] | null;
  setParams: (params: Record<string, null | ShownStatus[]>) => unknown;
}

/** Shown instead of a list: without the filter, it would have rows that the link does not mean. */
export default function InvalidFiltersNote({ filters, what, statuses, setParams }: InvalidFiltersNoteProps) {
  const search = useSearchParams();
  const remove = () => {
    const kept = statuses?.length ? [...statuses] : null;
    setParams(Object.fromEntries(filters.map((name) => [name, name === "status" ? kept : null])));
  };
  return (
    <EmptyState icon={Search} title="This link has invalid filters">
      <ul className="break-all mono">
        {filters.map((name) => (
          <li key={name}>
            {name}={search.get(name)}
          </li>
        ))}
      </ul>
      <p>
        No {what} are shown, because ignoring these filters would show the wrong ones. Fix the link, or remove
        them.
      </p>
      <Button onClick={remove}>Remove invalid filters</Button>
    </EmptyState>
  );
}
