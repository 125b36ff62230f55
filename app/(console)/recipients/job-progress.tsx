"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, startTransition, useEffect } from "react";
import { Spinner } from "@/app/ui/button";

/** How a query asks about what a worker makes. */
export const WHILE_RUNNING = { refetchInterval: 1_000, retry: false } as const;

interface JobProgressProps {
  /** Also when it was deleted meanwhile. */
  hasEnded: boolean;
  children: ReactNode;
}

/** While a worker makes something. Afterwards the page is drawn again. */
export function JobProgress({ hasEnded, children }: JobProgressProps) {
  const router = useRouter();
  useEffect(() => {
    if (hasEnded) startTransition(() => router.refresh());
  }, [hasEnded, router]);
  return (
    <p role="status" className="note bg-finalizing-ground text-finalizing">
      <Spinner />
      <span className="min-w-0">{children}</span>
    </p>
  );
}
