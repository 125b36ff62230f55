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
      detail="Something failed on the way. Nothing was changed."
      requestId={error.digest}
      onRetry={retry}
    />
  );
}
