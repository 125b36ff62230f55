"use client";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

interface KeptHeightProps {
  /** While what stands here is made anew. */
  busy: boolean;
  children: ReactNode;
}

/** Stays as high as it was while it is busy: a page that shrinks scrolls away from what somebody reads or writes. */
export function KeptHeight({ busy, children }: KeptHeightProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    if (busy || !box.current) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry!.contentRect.height));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [busy]);
  return (
    <div ref={box} style={busy ? { minHeight: height } : undefined} className="flex flex-col gap-6">
      {children}
    </div>
  );
}
