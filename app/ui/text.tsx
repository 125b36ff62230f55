import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** Groups the digits of a decimal string. Exact, because it never becomes a float. */
export function formatAmount(value: string): string {
  return grouped.format(value as Intl.StringNumericLiteral);
}

export const formatCount = (count: number) => formatAmount(String(count));

/** Decimal places of the longest amount, for aligning a column. */
export function fractionDigits(values: readonly string[]): number {
  return values.reduce((most, value) => Math.max(most, (value.split(".")[1] ?? "").length), 0);
}

interface AmountProps {
  value: string;
  /** Decimal places to reserve, so that decimal points align. */
  fraction?: number;
  /** Shows it as negative, for points that go the other way. */
  minus?: boolean;
  className?: string;
}

export function Amount({ value, fraction = 0, minus = false, className }: AmountProps) {
  const [whole, decimals] = formatAmount(value).split(".");
  return (
    <span className={classNames("whitespace-nowrap tabular-nums", className)}>
      {minus && "−"}
      {whole}
      {fraction > 0 ? (
        <span className="inline-block text-left" style={{ minWidth: `${fraction * 0.64 + 0.3}em` }}>
          {decimals && `.${decimals}`}
        </span>
      ) : (
        decimals && `.${decimals}`
      )}
    </span>
  );
}

/** `1 batch`, `1,204 batches`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const ID_END_CHARS = 6;

/**
 * Truncated before its end, because neighboring IDs often differ only there. The width is rounded to whole characters of
 * the monospaced font, so that there is no gap after the ellipsis.
 */
export function IdText({ value }: { value: string }) {
  return (
    <span className="wrap-anywhere block overflow-hidden whitespace-nowrap print:whitespace-normal">
      <span className="inline-block max-w-[calc(round(down,100%-6ch,1ch)+0.1px)] truncate align-bottom print:inline">
        {value.slice(0, -ID_END_CHARS)}
      </span>
      {value.slice(-ID_END_CHARS)}
    </span>
  );
}

const END_CHARS = 6;

/** The first six and the last six characters. */
export function shortenHash(value: string): string {
  return value.length <= 2 * END_CHARS + 1
    ? value
    : `${value.slice(0, END_CHARS)}…${value.slice(-END_CHARS)}`;
}

/** Values that look the same once shortened. */
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
  /** For the copy button: "address". */
  what: string;
  /** `narrow` is short on phones and whole elsewhere. */
  form?: "short" | "whole" | "narrow";
  lookalike?: boolean;
  copy?: boolean;
  href?: string;
  className?: string;
}

/** Copying always copies the full value. */
export function HashText(props: HashTextProps) {
  const { value, what, form = "short", lookalike, copy = true, href, className } = props;
  const text = <ShownHash value={value} form={form} />;
  return (
    <span className={classNames("inline-flex min-w-0 items-center gap-1 font-mono text-mono", className)}>
      {href ? (
        <Link href={href} prefetch={false} className="rounded-badge outline-offset-1 hover:text-accent">
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
          <TriangleAlert aria-hidden size={12} />
          <span className="sr-only">Another {what} in this list starts and ends the same</span>
        </span>
      )}
      {copy && <CopyButton value={value} what={what} />}
    </span>
  );
}

function ShownHash({ value, form }: Required<Pick<HashTextProps, "value" | "form">>) {
  if (form === "short") {
    return (
      <>
        <span title={value} className="whitespace-nowrap print:hidden">
          {shortenHash(value)}
        </span>
        {/* Paper has no tooltip, and nothing to copy from. */}
        <span aria-hidden className="hidden break-all print:inline">
          {value}
        </span>
      </>
    );
  }
  if (form === "whole") return <span className="break-all text-balance">{value}</span>;
  return (
    <>
      <span className="break-all text-balance max-sm:hidden">{value}</span>
      <span className="sm:hidden">{shortenHash(value)}</span>
    </>
  );
}

export function ScrollRegion(props: ComponentProps<"section"> & { "aria-label": string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard (axe: scrollable-region-focusable)
  return <section tabIndex={0} {...props} />;
}

interface CodeBlockProps {
  code: string;
  /** Shown instead of the code: a shortened or highlighted version. */
  excerpt?: ReactNode;
  what: string;
  /** Long lines wrap; otherwise they scroll. */
  wraps?: boolean;
  /** False when another button copies it. */
  copy?: boolean;
}

export function CodeBlock({ code, excerpt, what, wraps = false, copy = true }: CodeBlockProps) {
  const text = (
    <pre className={classNames("font-mono text-mono", wraps && "wrap-anywhere whitespace-pre-wrap")}>
      {excerpt ?? code}
    </pre>
  );
  return (
    <div
      className={classNames(
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

/** The class name sets the number of columns. Rows are separated by lines, with none after the last. */
export function FactList({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <dl
      className={classNames(
        "grid grid-cols-1 gap-x-8 overflow-hidden rounded-card border border-line bg-surface px-4",
        className,
      )}
    >
      {children}
    </dl>
  );
}

interface FactProps {
  name: string;
  className?: string;
  children: ReactNode;
}

export function Fact({ name, className, children }: FactProps) {
  return (
    <div
      className={classNames(
        "-mt-px flex min-h-10 items-center justify-between gap-6 border-line border-t py-1.5 text-table",
        className,
      )}
    >
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right tabular-nums">{children}</dd>
    </div>
  );
}

interface FigureCardProps {
  label: string;
  title: string;
  /** The title's name in the API. */
  code?: string;
  heading?: "h2" | "h3";
  amount: string;
  /** What the amount is: "received". */
  of: string;
  children: ReactNode;
}

/** One large amount, and others that belong to it. */
export function FigureCard(props: FigureCardProps) {
  const { label, title, code, heading: Heading = "h3", amount, of, children } = props;
  return (
    <section
      aria-label={label}
      className="flex min-w-0 flex-col gap-2 rounded-card border border-line bg-surface p-4"
    >
      <div className="flex items-baseline justify-between gap-3">
        <Heading className="font-medium">{title}</Heading>
        {code && <span className="font-mono text-label text-muted">{code}</span>}
      </div>
      <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
        <Amount value={amount} className="whitespace-normal! break-all" />
        <span className="font-normal text-body text-muted">{of}</span>
      </p>
      {children}
    </section>
  );
}

/** Above sums that are minimums. */
export const AtLeast = () => (
  <p className="text-label text-muted">
    Too many batches are pending to read them all. There may be more than:
  </p>
);

/** The same as `icon.svg`. */
export function Logo({ size }: { size: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" fill="none" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path d="M7 11h9.5M7 16h6.5M7 21h9.5" stroke="#c7d2fe" strokeWidth="2.5" strokeLinecap="round" />
      <path
        d="m18.5 11 5.5 5-5.5 5"
        stroke="#fff"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
