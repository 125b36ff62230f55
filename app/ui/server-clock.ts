"use client";
import { useEffect, useSyncExternalStore } from "react";

let offsetMs = 0;
let nowMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  nowMs = Math.floor((Date.now() + offsetMs) / 1000) * 1000;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** @param now the server's time in its latest reply, RFC 3339 */
export function useServerClock(now: string | null | undefined): void {
  useEffect(() => {
    if (now) offsetMs = Date.parse(now) - Date.now();
  }, [now]);
}

/**
 * The server's time in milliseconds, updated every second.
 * @param asOf RFC 3339; the time of the first paint, the same on server and client
 */
export function useServerNow(asOf: string): number {
  const firstMs = Date.parse(asOf);
  return useSyncExternalStore(
    subscribe,
    () => {
      if (nowMs === 0) nowMs = firstMs;
      return nowMs;
    },
    () => firstMs,
  );
}
