"use client";
import { useEffect, useState } from "react";
import type { ContentsGroup } from "./contents";

/** Just below the sticky header. */
const LINE_PX = 120;

/** The id of the section that the reader is in. */
export function useSectionInView(groups: ContentsGroup[]): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
    let frame = 0;
    const look = () => {
      frame = 0;
      const above = ids.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= LINE_PX,
      );
      setHere(above.at(-1) ?? ids[0]);
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
