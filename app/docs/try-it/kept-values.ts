"use client";
import { useSyncExternalStore } from "react";

/** What was typed, shared by all forms of the page. It lives in memory alone: a reload forgets it, the token too. */
const kept = new Map<string, string>();
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function keep(name: string, value: string): void {
  kept.set(name, value);
  for (const listener of listeners) listener();
}

export function useKept(name: string): string {
  return useSyncExternalStore(
    listen,
    () => kept.get(name) ?? "",
    () => "",
  );
}

/** The values of several names, in order, as one text that changes only when they do. */
export function useKeptValues(names: readonly string[]): Record<string, string> {
  const snapshot = () => JSON.stringify(names.map((name) => kept.get(name) ?? ""));
  const values = JSON.parse(
    useSyncExternalStore(listen, snapshot, () => JSON.stringify(names.map(() => ""))),
  ) as string[];
  return Object.fromEntries(names.map((name, place) => [name, values[place]!]));
}
