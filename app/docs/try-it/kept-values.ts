"use client";
import { useSyncExternalStore } from "react";

/** Shared by all forms of the page. In memory only: the access token must not be stored. */
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

/** The snapshot is a string, because `useSyncExternalStore` compares by identity. */
export function useKeptValues(names: readonly string[]): Record<string, string> {
  const snapshot = () => JSON.stringify(names.map((name) => kept.get(name) ?? ""));
  const values = JSON.parse(
    useSyncExternalStore(listen, snapshot, () => JSON.stringify(names.map(() => ""))),
  ) as string[];
  return Object.fromEntries(names.map((name, place) => [name, values[place]!]));
}
