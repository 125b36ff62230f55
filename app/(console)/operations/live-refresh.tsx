"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useRef } from "react";
import { useTRPC } from "../../data/trpc";
import { StaleBanner } from "../../ui/banner";

const REFETCH_MS = 5_000;

/**
 * Refreshes the page every five seconds while it is visible. A small query goes first: when the server is unreachable, a
 * failed refresh would replace the page with the browser's error page.
 */
export function LiveRefresh() {
  const trpc = useTRPC();
  const router = useRouter();
  const { dataUpdatedAt, isError } = useQuery(
    trpc.console.session.me.queryOptions(undefined, { refetchInterval: REFETCH_MS }),
  );
  const drawnAt = useRef(0);
  useEffect(() => {
    if (!dataUpdatedAt) return;
    if (drawnAt.current) startTransition(() => router.refresh());
    drawnAt.current = dataUpdatedAt;
  }, [dataUpdatedAt, router]);
  if (!isError) return null;
  return (
    <div className="order-last basis-full">
      <StaleBanner />
    </div>
  );
}
