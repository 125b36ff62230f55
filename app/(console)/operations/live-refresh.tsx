"use client";
import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useRef, useState } from "react";
import { useTRPC } from "../../data/trpc";
import { StaleBanner } from "../../ui/banner";
import { Button } from "../../ui/button";

const REFETCH_MS = 5_000;

/**
 * Refreshes the page every five seconds while it is visible. A small query goes first: when the server is unreachable, a
 * failed refresh would replace the page with the browser's error page.
 */
export function LiveRefresh() {
  const trpc = useTRPC();
  const router = useRouter();
  const [isPaused, setPaused] = useState(false);
  const { dataUpdatedAt, isError } = useQuery(
    trpc.console.session.me.queryOptions(undefined, {
      refetchInterval: isPaused ? false : REFETCH_MS,
      refetchOnWindowFocus: !isPaused,
    }),
  );
  const drawnAt = useRef(0);
  useEffect(() => {
    if (!dataUpdatedAt) return;
    if (drawnAt.current) startTransition(() => router.refresh());
    drawnAt.current = dataUpdatedAt;
  }, [dataUpdatedAt, router]);
  return (
    <>
      <Button
        variant="ghost"
        icon={isPaused ? Play : Pause}
        onClick={() => setPaused(!isPaused)}
        className="ml-auto"
      >
        <span>
          {isPaused ? "Resume" : "Pause"}
          <span className="max-sm:sr-only"> updates</span>
        </span>
      </Button>
      {isError && (
        <div className="order-last basis-full">
          <StaleBanner />
        </div>
      )}
    </>
  );
}
