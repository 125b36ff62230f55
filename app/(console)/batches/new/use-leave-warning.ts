import { useEffect } from "react";
import { useWindowEvent } from "@/app/ui/hooks";

const ROWS_MESSAGE = "These rows have not been submitted. Leave this page?";

/** Of the page's address during the review. */
export const REVIEW_STEP = "#review";

/** Back and Forward of the browser from the review to the rows. @param asks while batches are sent */
export function useWayBack(onBack: () => void, asks: boolean): void {
  useEffect(() => {
    // Back may have come before the review was there.
    if (location.hash === "") onBack();
  }, [onBack]);
  useWindowEvent("popstate", ({ state }) => {
    if (location.hash === REVIEW_STEP || location.pathname !== "/batches/new") return;
    // A link within the page has no state. It would be one more step on the way back.
    if (!state) history.back();
    else if (asks && !mayLeave()) history.forward();
    else onBack();
  });
}

const LEAVING = "leaving-page";

/** Whether the page may be left. For code that leads elsewhere without a link. */
export const mayLeave = (): boolean => document.dispatchEvent(new Event(LEAVING, { cancelable: true }));

/** Asks before the page is left, also by a link, the search or Back, while something would be lost. */
export function useLeaveWarning(active: boolean, message = ROWS_MESSAGE): void {
  useEffect(() => {
    if (!active) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Next has no hook for its own links, so the click is intercepted before Next sees it.
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const stays = !link || link.hasAttribute("download") || link.getAttribute("href")?.startsWith("#");
      if (stays || event.ctrlKey || event.metaKey || event.shiftKey || confirm(message)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Back and Forward, if the browser has this event: Next shows the other page before anything else can
    // stop it. After an answer, it cannot be stopped again until the page is clicked or typed into.
    const traverse = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || event.hashChange || !event.cancelable) return;
      if (event.destination.sameDocument && !confirm(message)) event.preventDefault();
    };
    const leaving = (event: Event) => {
      if (!confirm(message)) event.preventDefault();
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("beforeunload", beforeUnload, { signal });
    window.navigation?.addEventListener("navigate", traverse, { signal });
    document.addEventListener(LEAVING, leaving, { signal });
    document.addEventListener("click", click, { signal, capture: true });
    return () => listening.abort();
  }, [active, message]);
}
