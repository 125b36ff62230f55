import type { ReactNode } from "react";
import { CopyButton } from "../../../../ui/copy-button";

export function Alert({
  title,
  requestId,
  children,
}: {
  title: string;
  requestId?: string;
  children: ReactNode;
}) {
  return (
    <div role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
      <p className="font-medium">{title}</p>
      <p>{children}</p>
      {requestId && (
        <p className="mt-1 flex items-center gap-1 font-mono text-label">
          {requestId}
          <CopyButton value={requestId} what="request ID" />
        </p>
      )}
    </div>
  );
}
