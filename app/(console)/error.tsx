"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { ErrorState } from "@/app/ui/states";

export default function ConsoleError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const router = useRouter();
  // `reset` alone renders the same server response again, so refresh first.
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <ErrorState
      heading="h1"
      title="Something went wrong"
      detail="The page could not be loaded, and nothing was changed. The database may be temporarily
        unavailable."
      requestId={error.digest}
      idName="Error ID"
      onRetry={retry}
    />
  );
}
