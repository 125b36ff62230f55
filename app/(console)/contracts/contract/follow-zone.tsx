"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTimeZone } from "../../../ui/time-zone";

/** The plots are drawn on the server, so a change of time zone needs a refresh. */
export function FollowZone({ drawnIn }: { drawnIn: string }) {
  const { zone } = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    if (zone !== drawnIn) router.refresh();
  }, [zone, drawnIn, router]);
  return null;
}
