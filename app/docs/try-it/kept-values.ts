"use client";
import { useSyncExternalStore } from "react";
import type { Callable } from "./build-request";

const EMPTY: Readonly<Record<string, string>> = {};
/** Shared by all forms of the page. In memory only: the access token must not be stored. */
let kept = EMPTY;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function keep(name: string, value: string): void {
  kept = { ...kept, [name]: value };
  for (const listener of listeners) listener();
}

export const useKept = () =>
  useSyncExternalStore(
    listen,
    () => kept,
    () => EMPTY,
  );

/** Path values are shared between operations; other parameters are not. */
export const keptKey = (operation: Callable, { name, in: location }: Callable["parameters"][number]) =>
  location === "path" ? name : `${operation.id} ${name}`;
