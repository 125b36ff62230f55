"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** The browser's origin; the server's during server-side rendering. */
export function useOrigin(known: string): string {
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => known,
  );
}
