"use client";
import { useEffect, useState } from "react";

/** Just below the sticky header. */
const LINE_PX = 190;
/** Sections that start this close are side by side: the first one counts. */
const NEAR_PX = 24;

/** The last section that starts above the line. */
function sectionAt(ids: string[]): string | undefined {
  let here = ids[0];
  let hereTop = -Infinity;
  for (const id of ids) {
    const top = document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
    if (top > LINE_PX || top < hereTop + NEAR_PX) continue;
    here = id;
    hereTop = top;
  }
  return here;
}

export function useSectionInView(
  groups: readonly { entries: readonly { id: string }[] }[],
): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
    let frame = 0;
    const look = () => {
      frame = 0;
      setHere(sectionAt(ids));
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later);
    return () => {
      removeEventListener("scroll", later);
      removeEventListener("resize", later);
      cancelAnimationFrame(frame);
    };
  }, [groups]);
  return here;
}
