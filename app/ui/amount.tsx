import { clsx } from "clsx";
import type { CSSProperties } from "react";
import { formatAmount } from "@/terms/output-text";

export { counted, formatAmount, formatCount } from "@/terms/output-text";

/** Decimal places of the longest amount, for aligning a column. */
export function fractionDigits(values: readonly string[]): number {
  return values.reduce((most, value) => Math.max(most, (value.split(".")[1] ?? "").length), 0);
}

/** The width that a table reserves for a decimal point and this many digits, at least what they need. */
export const decimalsEm = (fraction: number) => (fraction > 0 ? fraction * 0.64 + 0.3 : 0);

interface AmountProps {
  value: string;
  /** Decimal places to reserve, so that decimal points align. */
  fraction?: number;
  /** Shows it as negative, for points that go the other way. */
  minus?: boolean;
  /** Breaks anywhere, where there is no space for it on one line. */
  wraps?: boolean;
  className?: string;
}

export function Amount({ value, fraction = 0, minus = false, wraps, className }: AmountProps) {
  const [whole, decimals] = formatAmount(value).split(".");
  return (
    <span className={clsx("tabular-nums", wraps ? "wrap-anywhere" : "whitespace-nowrap", className)}>
      {minus && "−"}
      {whole}
      {fraction > 0 ? (
        <span className="inline-block text-left" style={{ minWidth: `${decimalsEm(fraction)}em` }}>
          {decimals && `.${decimals}`}
        </span>
      ) : (
        decimals && `.${decimals}`
      )}
    </span>
  );
}

interface AmountHeadingProps {
  name: string;
  fraction: number;
  /** The amounts are followed by their unit, 36 pixels wide. */
  unit?: boolean;
}

/** The heading of a column of amounts, whose text is larger: it ends over their decimal points. */
export const AmountHeading = ({ name, fraction, unit }: AmountHeadingProps) => (
  <span
    className={clsx("md:pr-(--decimals)", unit && "mr-10")}
    style={{ "--decimals": `${decimalsEm(fraction) * (13 / 12)}em` } as CSSProperties}
  >
    {name}
  </span>
);
