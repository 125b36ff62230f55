import { clsx } from "clsx";
import { Info, type LucideIcon, RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { problemOf } from "@/app/data/problem";
import { Button, ButtonLink } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** `h1` when it is the only content of the page. */
  heading?: "h1" | "h2";
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, heading: Heading = "h2", children }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-[640px] flex-col items-center gap-3 px-4 py-14 text-center">
      <span className="card grid size-10 place-items-center text-muted">
        <Icon size={18} />
      </span>
      <Heading className="font-semibold text-body">{title}</Heading>
      <div className="flex max-w-full flex-col items-center gap-3 text-muted">{children}</div>
    </div>
  );
}

interface NotFoundProps {
  title: string;
  href: string;
  link: string;
  children: ReactNode;
}

export const NotFound = ({ title, href, link, children }: NotFoundProps) => (
  <EmptyState icon={Info} heading="h1" title={title}>
    {children}
    <ButtonLink href={href}>{link}</ButtonLink>
  </EmptyState>
);

export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="card p-4 text-muted text-table">{children}</p>;
}

interface ErrorStateProps {
  title: string;
  heading?: "h1" | "h2";
  detail: string;
  requestId?: string;
  onRetry?: () => void;
  children?: React.ReactNode;
}

export function ErrorState(props: ErrorStateProps) {
  const { title, heading, detail, requestId, onRetry, children } = props;
  return (
    <div role="alert">
      <EmptyState icon={TriangleAlert} heading={heading} title={title}>
        <p className="text-body text-muted">{detail}</p>
        {requestId && (
          <p className="flex items-center gap-1 hint">
            Request ID <code className="font-mono">{requestId}</code>
            <CopyButton value={requestId} what="request ID" />
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
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return query.isPending ? (skeleton ?? <Skeleton className="h-24" />) : <QueryError query={query} />;
}

export function QueryError({ query, children }: { query: FailedQuery; children?: ReactNode }) {
  return (
    <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()}>
      {children}
    </ErrorState>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx("block animate-pulse rounded-badge bg-line", className)} />;
}

/** Each `loading.tsx` exports it. Above a layout, it would hide the layout's 404. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-6 p-4 md:p-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-24" />
      <Skeleton className="h-80" />
    </div>
  );
}

export function Banner({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="note flex-nowrap gap-x-2 bg-overdue-ground py-1.5 text-label text-overdue">
      <Info size={14} className="shrink-0" />
      <span className="flex-1">{children}</span>
    </div>
  );
}

/** Above data whose last update failed. Its query tries again by itself. */
export const StaleBanner = () => (
  <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
);
