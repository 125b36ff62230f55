"use client";

import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** The browser takes the page as it is when `beforeprint` returns, so the change is rendered before that. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia("print");
    const before = () => flushSync(() => setPrinting(true));
    const after = () => setPrinting(false);
    const change = () => (media.matches ? before() : after());
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("beforeprint", before, { signal });
    addEventListener("afterprint", after, { signal });
    media.addEventListener("change", change, { signal });
    return () => listening.abort();
  }, []);
  return isPrinting;
}

/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const OVERSCAN_ROWS = 12;
const FIRST_PAINT_PX = 720;

/** Virtualizes rows of equal height, but not on paper. `before` and `after` are the others' height. */
export function useRowWindow(count: number, rowPx: number) {
  const scroller = useRef<HTMLElement>(null);
  const isPrinting = usePrinting();
  const [seen, setSeen] = useState({ first: 0, rows: Math.ceil(FIRST_PAINT_PX / rowPx) });
  useEffect(() => {
    const region = scroller.current;
    if (!region) return;
    const look = () => {
      const first = Math.floor(region.scrollTop / rowPx);
      const rows = Math.ceil(region.clientHeight / rowPx);
      setSeen((known) => (known.first === first && known.rows === rows ? known : { first, rows }));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(region);
    region.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      region.removeEventListener("scroll", look);
    };
  }, [rowPx]);
  const first = isPrinting ? 0 : Math.max(0, Math.min(seen.first, count - 1) - OVERSCAN_ROWS);
  const end = isPrinting ? count : Math.min(count, seen.first + seen.rows + OVERSCAN_ROWS);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  return { scroller, rows, before: first * rowPx, after: Math.max(0, count - end) * rowPx };
}
