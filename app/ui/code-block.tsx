import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";
import { ScrollRegion } from "./scroll-region";

interface CodeBlockProps {
  code: string;
  /** What is shown when that is less than what is copied, or coloured. */
  excerpt?: ReactNode;
  what: string;
}

/** Text to be copied whole; long lines scroll. */
export function CodeBlock({ code, excerpt, what }: CodeBlockProps) {
  return (
    <div className="relative w-full min-w-0 rounded-card border border-line bg-ground text-left">
      <ScrollRegion aria-label={what} className="overflow-x-auto rounded-card p-3 pr-10 outline-offset-0">
        <pre className="font-mono text-mono">{excerpt ?? code}</pre>
      </ScrollRegion>
      <CopyButton value={code} what={what} className="absolute top-2 right-2 bg-ground" />
    </div>
  );
}
