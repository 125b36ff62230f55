import { Search } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { createLoader, type ParserMap } from "nuqs/server";
import { invalidNames } from "@/app/data/invalid-names";
import { Button } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/states";

interface InvalidFiltersNoteProps {
  filters: ParserMap;
  /** What the list has: "batches". */
  what: string;
  /** Whether the server draws the list. */
  isDrawn?: boolean;
}

/** Shown instead of a list: without the filter, it would have rows that the link does not mean. */
export default function InvalidFiltersNote({ filters, what, isDrawn = false }: InvalidFiltersNoteProps) {
  const search = useSearchParams();
  const [, setParams] = useQueryStates(filters, { history: "push", shallow: !isDrawn });
  const params: Record<string, unknown> = createLoader(filters)(search);
  const invalid = invalidNames(search, params);
  /** The valid ones of a list stay: without them, there would be more rows than the link means. */
  const validOf = (value: unknown) => (Array.isArray(value) && value.length > 0 ? value : null);
  const remove = () =>
    void setParams(Object.fromEntries(invalid.map((name) => [name, validOf(params[name])])));
  return (
    <EmptyState icon={Search} title="This link has invalid filters">
      <ul className="break-all mono">
        {invalid.map((name) => (
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
