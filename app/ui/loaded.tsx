"use client";
import type { ReactNode } from "react";
import { problemOf } from "../data/problem";
import { ErrorState } from "./error-state";

interface FailedQuery {
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: FailedQuery & { data: Data | undefined; isPending: boolean };
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What a query has read, also after a later update failed. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return query.isPending ? skeleton : <QueryError query={query} />;
}

export function QueryError({ query, children }: { query: FailedQuery; children?: ReactNode }) {
  return (
    <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()}>
      {children}
    </ErrorState>
  );
}
