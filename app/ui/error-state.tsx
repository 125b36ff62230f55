"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { problemOf } from "@/app/data/problem";
import { EmptyState } from "@/app/ui/empty-state";
import { Skeleton } from "@/app/ui/skeleton";
import { Button } from "./button";
import { CopyButton } from "./copy-button";

interface ErrorStateProps {
  title: string;
  heading?: "h1" | "h2";
  detail: string;
  requestId?: string;
  /** Name of the ID, when it is not a request ID. */
  idName?: string;
  onRetry?: () => void;
  children?: React.ReactNode;
}

export function ErrorState(props: ErrorStateProps) {
  const { title, heading, detail, requestId, idName = "Request ID", onRetry, children } = props;
  return (
    <div role="alert">
      <EmptyState icon={TriangleAlert} heading={heading} title={title}>
        <p className="text-body text-muted">{detail}</p>
        {requestId && (
          <p className="flex items-center gap-1 text-label text-muted">
            {idName} <code className="font-mono">{requestId}</code>
            <CopyButton value={requestId} what={idName.replace(/^./, (first) => first.toLowerCase())} />
          </p>
        )}
        <div className="flex gap-2">
          {onRetry && (
            <Button icon={RotateCw} onClick={onRetry}>
              Try again
            </Button>
          )}
          {children}
        </div>
      </EmptyState>
    </div>
  );
}

interface FailedQuery {
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: FailedQuery & { data: Data | undefined; isPending: boolean };
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What a query has read, also after a later update failed. */
export function Loaded<Data>({
  query,
  skeleton = <Skeleton className="h-24" />,
  children,
}: LoadedProps<Data>) {
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
