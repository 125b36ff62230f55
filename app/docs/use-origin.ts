"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** The address of this host as the browser knows it; as the server does, until then. */
export function useOrigin(known: string): string {
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => known,
  );
}
