"use client";
import { ErrorState } from "../ui/error-state";

export default function ConsoleError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <ErrorState
      heading="h1"
      title="This screen could not be shown"
      detail="Something failed on the way. Nothing was changed."
      requestId={error.digest}
      onRetry={reset}
    />
  );
}
