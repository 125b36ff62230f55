import type { PlaceItem } from "./places";

const RECENT_MAX = 5;

let recent: readonly PlaceItem[] = [];

/** What was opened from the search, newest first; forgotten with the page. */
export const recentItems = (): readonly PlaceItem[] => recent;

export function keepRecent(item: PlaceItem): void {
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, RECENT_MAX);
}
