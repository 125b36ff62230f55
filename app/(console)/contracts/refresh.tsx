"use client";
import { useRouter } from "next/navigation";
import { startTransition, useEffect } from "react";
import { ErrorState } from "@/app/ui/states";
import { useTimeZone } from "@/app/ui/time";

/** The plots are drawn on the server, so a change of time zone needs a refresh. */
export function FollowZone({ drawnIn }: { drawnIn: string }) {
  const { zone } = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    if (zone !== drawnIn) router.refresh();
  }, [zone, drawnIn, router]);
  return null;
}

/** For figures that the server renders with the page: retrying renders the page again. */
export function ReportError(props: { title: string; detail: string; heading?: "h1" }) {
  const router = useRouter();
  return <ErrorState {...props} onRetry={() => startTransition(() => router.refresh())} />;
}
