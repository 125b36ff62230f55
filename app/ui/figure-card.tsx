import type { ReactNode } from "react";
import { Amount } from "./amount";

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
        <Amount value={amount} wraps />
        <span className="font-normal text-body text-muted">{of}</span>
      </p>
      {children}
    </section>
  );
}

interface FigureLineProps {
  amount: string;
  tone?: string;
  children: ReactNode;
}

/** A smaller amount, and what it is. Nothing for 0. */
export const FigureLine = ({ amount, tone = "text-muted", children }: FigureLineProps) =>
  amount !== "0" && (
    <p className="text-table">
      <Amount value={amount} wraps className="font-medium" /> <span className={tone}>{children}</span>
    </p>
  );

/** Above sums that are minimums. */
export const AtLeast = () => (
  <p className="text-label text-muted">
    Too many batches are pending to read them all. There may be more than:
  </p>
);
