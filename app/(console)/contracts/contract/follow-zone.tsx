"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTimeZone } from "../../../ui/time-zone";

/** Has the server draw its days anew when another time zone is chosen. */
export function FollowZone({ drawnIn }: { drawnIn: string }) {
  const { zone } = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    if (zone !== drawnIn) router.refresh();
  }, [zone, drawnIn, router]);
  return null;
}
