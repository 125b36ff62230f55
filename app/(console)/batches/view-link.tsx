"use client";
import Link from "next/link";
import type { MouseEvent, ReactNode } from "react";
import { loadListParams, queryOf, viewPath } from "./list-params";
import { useListParams } from "./use-batch-list";

/** The query of the list on screen, and how to go to another one without loading the page. */
export function useView() {
  const { params, setParams } = useListParams();
  return {
    query: queryOf(params),
    show: (query: string) => void setParams(loadListParams(`?${query}`)),
  };
}

interface ViewLinkProps {
  query: string;
  title?: string;
  isCurrent: boolean;
  className: string;
  onShow?: () => void;
  children: ReactNode;
}

/** A link to a view. A plain click changes the list without loading the page. */
export function ViewLink({ query, title, isCurrent, className, onShow, children }: ViewLinkProps) {
  const { show } = useView();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(query);
    onShow?.();
  };
  return (
    <Link
      href={viewPath(query)}
      prefetch={false}
      onClick={open}
      title={title}
      aria-current={isCurrent ? "page" : undefined}
      className={className}
    >
      {children}
    </Link>
  );
}
