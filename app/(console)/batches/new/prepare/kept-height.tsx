"use client";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

interface KeptHeightProps {
  /** While the content is being replaced. */
  busy: boolean;
  children: ReactNode;
}

/** Keeps its height while busy: a page that shrinks would scroll away from where the user reads or types. */
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
