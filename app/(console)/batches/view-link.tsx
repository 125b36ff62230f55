import type { MouseEvent, ReactNode } from "react";
import { viewPath } from "@/app/(console)/paths";
import { Link } from "@/app/ui/button";
import { loadListParams, queryOf } from "./list-params";
import { useListParams } from "./use-list-params";

/** With a modifier key, a link does what the browser does. */
export const onPlainClick = (run: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  run();
};

interface ViewLinkProps {
  query: string;
  title?: string;
  className: string;
  children: ReactNode;
}

/** A link to a view. A plain click changes the list without loading the page. */
export function ViewLink({ query, title, className, children }: ViewLinkProps) {
  const { params, setParams } = useListParams();
  const open = onPlainClick(() => void setParams(loadListParams(`?${query}`)));
  return (
    <Link
      href={viewPath(query)}
      onClick={open}
      title={title}
      aria-current={query === queryOf(params) ? "page" : undefined}
      className={className}
    >
      {children}
    </Link>
  );
}
