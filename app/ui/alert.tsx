import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

interface AlertProps {
  title?: string;
  requestId?: string;
  children: ReactNode;
}

export function Alert({ title, requestId, children }: AlertProps) {
  return (
    <div
      role="alert"
      className="wrap-anywhere rounded-control bg-danger-ground px-3 py-2 text-danger text-table"
    >
      {title && <p className="font-medium">{title}</p>}
      <div>{children}</div>
      {requestId && (
        <p className="mt-1 flex items-center gap-1 font-mono text-label">
          {requestId}
          <CopyButton value={requestId} what="request ID" />
        </p>
      )}
    </div>
  );
}
