import { type RefObject, useEffect } from "react";

/**
 * Where its list was scrolled to, and the link of the row that was opened last. By history entry, so that
 * Back finds what its list had, and a new visit starts at the top.
 */
const places = new Map<string, { top: number; href: string | null }>();

/** The current history entry. Browsers without the Navigation API keep no place. */
const entryKey = () => window.navigation?.currentEntry?.key;

/** Rows are drawn once they are loaded and the list has scrolled. */
const DRAWN_WITHIN_MS = 10_000;

let frame = 0;

/** Waits until it is drawn. @param isForced also if something else has the focus @returns stops waiting */
export function focusRow(href: string, isForced = false): () => void {
  const until = performance.now() + DRAWN_WITHIN_MS;
  const look = () => {
    if (!isForced && document.activeElement !== document.body) return;
    const link = document.querySelector<HTMLElement>(`[data-batch-link][href="${CSS.escape(href)}"]`);
    if (link) link.focus({ preventScroll: true });
    else if (performance.now() < until) frame = requestAnimationFrame(look);
  };
  const stop = () => cancelAnimationFrame(frame);
  stop();
  if (isForced) look();
  else frame = requestAnimationFrame(look);
  return stop;
}

export function useKeptPlace(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const region = scroller.current;
    const key = entryKey();
    if (!region || !key) return;
    const place = places.get(key) ?? { top: 0, href: null };
    if (place.top > 0) region.scrollTop = place.top;
    const stopFocus = place.href === null ? undefined : focusRow(place.href);
    const keep = () => {
      const at = entryKey();
      // A list that has just been replaced may still listen, and is scrolled to the top.
      if (at && region.isConnected) places.set(at, { ...place, top: region.scrollTop });
    };
    const noteRow = (event: Event) => {
      const link = (event.target as HTMLElement).closest("tr, li")?.querySelector("[data-batch-link]");
      place.href = link?.getAttribute("href") ?? place.href;
      keep();
    };
    // Opening the sheet adds an entry without scrolling.
    window.navigation.addEventListener("currententrychange", keep);
    region.addEventListener("scroll", keep, { passive: true });
    region.addEventListener("click", noteRow, { capture: true });
    return () => {
      stopFocus?.();
      window.navigation.removeEventListener("currententrychange", keep);
      region.removeEventListener("scroll", keep);
      region.removeEventListener("click", noteRow, { capture: true });
    };
  }, [scroller]);
}
