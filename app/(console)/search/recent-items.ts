import type { PlaceItem } from "./places";

const RECENT_MAX = 5;

let recent: readonly PlaceItem[] = [];

/** Newest first; kept in memory only. */
export const recentItems = (): readonly PlaceItem[] => recent;

export function keepRecent(item: PlaceItem): void {
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, RECENT_MAX);
}
