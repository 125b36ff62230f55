"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { buttonLook } from "@/app/ui/button-look";

/** Every page loads this code too, so it is kept to plain elements. */
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
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-14 text-center">
      <h1 className="font-semibold text-body">Something went wrong</h1>
      <p className="text-muted">
        The page could not be loaded, and nothing was changed. The database may be temporarily unavailable.
      </p>
      {error.digest && (
        <p className="hint">
          Error ID <code className="select-all font-mono">{error.digest}</code>
        </p>
      )}
      <button type="button" onClick={retry} className={buttonLook()}>
        Try again
      </button>
    </div>
  );
}
