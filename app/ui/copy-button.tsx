"use client";

import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { notify } from "./toast";

/** Shows an error when the browser blocks access to the clipboard. @returns whether it was copied */
export async function copyText(value: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    notify("error", `The browser blocked copying. Select the ${what} and copy it manually.`);
    return false;
  }
}

const SHOWN_MS = 1500;

interface CopyButtonProps {
  value: string;
  /** For the accessible name: "address". */
  what: string;
  className?: string;
}

export function CopyButton({ value, what, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(value, what));
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      title={`Copy ${what}`}
      className={clsx(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-badge",
        "text-muted hover:bg-hover hover:text-text print:hidden",
        className,
      )}
    >
      <Icon size={13} />
    </button>
  );
}
