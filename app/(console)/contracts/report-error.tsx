"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { ErrorState } from "../../ui/error-state";

interface ReportErrorProps {
  title: string;
  detail: string;
  heading?: "h1";
}

/** For figures that the server renders with the page: retrying renders the page again. */
export function ReportError(props: ReportErrorProps) {
  const router = useRouter();
  return <ErrorState {...props} onRetry={() => startTransition(() => router.refresh())} />;
}
