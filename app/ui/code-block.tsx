import { clsx } from "clsx";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";
import { ScrollRegion } from "./scroll-region";

interface CodeBlockProps {
  code: string;
  /** Shown instead of the code: a shortened or highlighted version. */
  excerpt?: ReactNode;
  what: string;
  wraps?: boolean;
  /** False when another button copies it. */
  copy?: boolean;
}

export function CodeBlock({ code, excerpt, what, wraps = false, copy = true }: CodeBlockProps) {
  const text = (
    <pre className={clsx("mono", wraps && "wrap-anywhere whitespace-pre-wrap")}>{excerpt ?? code}</pre>
  );
  return (
    <div
      className={clsx(
        "relative w-full min-w-0 rounded-card border border-line bg-ground text-left",
        copy && "pr-9",
      )}
    >
      {wraps ? (
        <div className="p-3 pr-1">{text}</div>
      ) : (
        <ScrollRegion aria-label={what} className="overflow-x-auto rounded-card p-3 pr-1 outline-offset-0">
          {text}
        </ScrollRegion>
      )}
      {copy && <CopyButton value={code} what={what} className="absolute top-2 right-2 bg-ground" />}
    </div>
  );
}
