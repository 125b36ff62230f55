import { TriangleAlert } from "lucide-react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";

const END_CHARS = 6;

/** First six … last six characters. */
export function shortenHash(value: string): string {
  return value.length <= 2 * END_CHARS + 1
    ? value
    : `${value.slice(0, END_CHARS)}…${value.slice(-END_CHARS)}`;
}

/** Those of a list that cannot be told apart by their ends. */
export function findLookalikes(values: Iterable<string>): Set<string> {
  const byEnds = new Map<string, string>();
  const lookalikes = new Set<string>();
  for (const value of values) {
    const ends = shortenHash(value.toLowerCase());
    const other = byEnds.get(ends);
    if (other === undefined) byEnds.set(ends, value);
    else if (other !== value) {
      lookalikes.add(other);
      lookalikes.add(value);
    }
  }
  return lookalikes;
}

interface HashTextProps {
  value: string;
  /** What it is, for the copy button: "address". */
  what: string;
  /** `narrow` shows the ends on phones and all of it elsewhere. */
  form?: "short" | "whole" | "narrow";
  lookalike?: boolean;
  copy?: boolean;
  className?: string;
}

/** A long hexadecimal value; copy gives all of it. */
export function HashText({ value, what, form = "short", lookalike, copy = true, className }: HashTextProps) {
  return (
    <span className={classNames("inline-flex min-w-0 items-center gap-1 font-mono text-mono", className)}>
      {form === "short" && <span title={value}>{shortenHash(value)}</span>}
      {form === "whole" && <span className="break-all">{value}</span>}
      {form === "narrow" && (
        <>
          <span className="max-sm:hidden">{value}</span>
          <span className="sm:hidden">{shortenHash(value)}</span>
        </>
      )}
      {lookalike && (
        <span title={`Another ${what} here has the same ends: compare all of it`} className="text-overdue">
          <TriangleAlert aria-hidden size={12} />
          <span className="sr-only">Another {what} here has the same ends</span>
        </span>
      )}
      {copy && <CopyButton value={value} what={what} />}
    </span>
  );
}
