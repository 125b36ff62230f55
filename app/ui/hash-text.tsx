import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import { Link } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";

const END_CHARS = 6;

export function shortenHash(value: string): string {
  return value.length <= 2 * END_CHARS + 1
    ? value
    : `${value.slice(0, END_CHARS)}…${value.slice(-END_CHARS)}`;
}

/** Next to a label, where it only distinguishes values with this label. */
export const hashEnd = (value: string) => `…${value.slice(-END_CHARS)}`;

/** Values that look the same once shortened. */
export function findLookalikes(values: Iterable<string>, shorten = shortenHash): Set<string> {
  const byEnds = new Map<string, string>();
  const lookalikes = new Set<string>();
  for (const value of values) {
    const ends = shorten(value.toLowerCase());
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
  /** For the copy button: "address". */
  what: string;
  /** `fit`: the whole value where its container has room for it. */
  form?: "short" | "end" | "whole" | "fit";
  lookalike?: boolean;
  copy?: boolean;
  href?: string;
  className?: string;
}

/** Copying always copies the full value. */
export function HashText(props: HashTextProps) {
  const { value, what, form = "short", lookalike, copy = true, href, className } = props;
  const text =
    form === "whole" ? (
      <span className="break-all text-balance">{value}</span>
    ) : form === "end" ? (
      <span title={value}>{hashEnd(value)}</span>
    ) : (
      <>
        <span
          title={value}
          className={clsx("whitespace-nowrap print:hidden", form === "fit" && "@2xl:hidden")}
        >
          {shortenHash(value)}
        </span>
        {/* Paper has no tooltip, and nothing to copy from. */}
        <span
          aria-hidden={form === "short"}
          className={clsx(
            "hidden break-all print:inline",
            form === "fit" && "@2xl:inline @2xl:whitespace-nowrap",
          )}
        >
          {value}
        </span>
      </>
    );
  return (
    <span className={clsx("inline-flex min-w-0 items-center gap-1 mono", className)}>
      {href ? (
        <Link href={href} className="rounded-badge outline-offset-1 hover:text-accent">
          {text}
        </Link>
      ) : (
        text
      )}
      {lookalike && (
        <span
          title={`Another ${what} in this list starts and ends the same. Compare the full value.`}
          className="text-overdue"
        >
          <TriangleAlert size={12} />
          <span className="sr-only">Another {what} in this list starts and ends the same</span>
        </span>
      )}
      {copy && <CopyButton value={value} what={what} />}
    </span>
  );
}

/** Truncated before its end, because neighboring IDs often differ only there, and at a whole character. */
export function IdText({ value }: { value: string }) {
  return (
    <span
      className="wrap-anywhere block overflow-hidden whitespace-nowrap [text-decoration:inherit]
        print:whitespace-normal"
    >
      <span
        className="inline-block max-w-[calc(round(down,100%-6ch,1ch)+0.1px)]
          truncate align-bottom [text-decoration:inherit] print:inline"
      >
        {value.slice(0, -END_CHARS)}
      </span>
      {value.slice(-END_CHARS)}
    </span>
  );
}
