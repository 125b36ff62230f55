"use client";
import { RotateCw, TriangleAlert } from "lucide-react";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { EmptyState } from "./empty-state";

interface ErrorStateProps {
  title: string;
  heading?: "h1" | "h2";
  detail: string;
  requestId?: string;
  /** What the id is, when it is not a request's. */
  idName?: string;
  onRetry?: () => void;
  children?: React.ReactNode;
}

/** What failed in words, the id that finds it in the log, and another try. */
export function ErrorState(props: ErrorStateProps) {
  const { title, heading, detail, requestId, idName = "Request", onRetry, children } = props;
  return (
    <div role="alert">
      <EmptyState icon={TriangleAlert} heading={heading} title={title}>
        <p className="text-body text-muted">{detail}</p>
        {requestId && (
          <p className="flex items-center gap-1 text-label text-muted">
            {idName} <code className="font-mono">{requestId}</code>
            <CopyButton value={requestId} what={idName === "Request" ? "request id" : "number"} />
          </p>
        )}
        <div className="flex gap-2">
          {onRetry && (
            <Button onClick={onRetry}>
              <RotateCw aria-hidden size={14} />
              Try again
            </Button>
          )}
          {children}
        </div>
      </EmptyState>
    </div>
  );
}
