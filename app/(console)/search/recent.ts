"use client";
import { useEffect } from "react";

export interface PlaceItem {
  kind: "batch" | "contract" | "recipient" | "screen";
  href: string;
  title: string;
  /** Distinguishes it from similar results. */
  detail: string;
}

const RECENT_MAX = 8;

let recent: readonly PlaceItem[] = [];

/** Newest first; kept in memory only. */
export const recentItems = (): readonly PlaceItem[] => recent;

export function keepRecent(item: PlaceItem): void {
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, RECENT_MAX);
}

/** Keeps the batch, contract or recipient that was shown, once it is left. */
export function useRecent({ kind, href, title, detail }: PlaceItem): void {
  useEffect(() => () => keepRecent({ kind, href, title, detail }), [kind, href, title, detail]);
}
