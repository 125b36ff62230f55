"use client";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** Whether a user hid something in this browser. True on the server, so that nothing flashes and disappears. */
export function useDismissed(email: string, what: string): [isDismissed: boolean, dismiss: () => void] {
  const key = `dismissed:${email}:${what}`;
  const isDismissed = useSyncExternalStore(
    subscribe,
    () => isStored(key),
    () => true,
  );
  const dismiss = () => {
    try {
      localStorage.setItem(key, "1");
    } catch {
      // Without storage, it comes back with the next page.
    }
    for (const listener of listeners) listener();
  };
  return [isDismissed, dismiss];
}
