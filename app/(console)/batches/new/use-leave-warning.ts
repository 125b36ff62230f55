"use client";
import { useEffect } from "react";

const WORDS = "The rows here are not sent yet. Leave this page?";

/** Asks before the page is left, by its links too, while something would be lost. */
export function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Next has no hook for leaving by its own links: the click is asked about before Next hears it.
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const stays = !link || link.hasAttribute("download") || link.getAttribute("href")?.startsWith("#");
      if (stays || event.ctrlKey || event.metaKey || event.shiftKey || confirm(WORDS)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("beforeunload", beforeUnload);
    document.addEventListener("click", click, true);
    return () => {
      removeEventListener("beforeunload", beforeUnload);
      document.removeEventListener("click", click, true);
    };
  }, [active]);
}
