"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { ErrorState } from "../ui/error-state";

export default function ConsoleError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const router = useRouter();
  // `reset` alone draws again what the server sent; what failed there must be asked for again.
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <ErrorState
      heading="h1"
      title="This screen could not be shown"
      detail="Something failed on the way; the database may be away for a moment. Nothing was changed."
      requestId={error.digest}
      idName="Its number in the log is"
      onRetry={retry}
    />
  );
}
