import type { CSSProperties } from "react";
import { classNames } from "@/app/ui/class-names";

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

interface AmountHeadingProps {
  name: string;
  /** As for `Amount`. */
  fraction: number;
  /** The amounts are followed by their unit, 36 pixels wide. */
  unit?: boolean;
}

/** The heading of a column of amounts: it ends over their decimal points. */
export const AmountHeading = ({ name, fraction, unit }: AmountHeadingProps) => (
  <span
    className={classNames("md:pr-(--decimals)", unit && "mr-10")}
    style={{ "--decimals": decimalsWidth(fraction) } as CSSProperties}
  >
    {name}
  </span>
);

/** As wide as `Amount` draws them in a table, whose text is larger than its headings. */
const decimalsWidth = (fraction: number) => (fraction > 0 ? `${(fraction * 0.64 + 0.3) * (13 / 12)}em` : "0");

/** `1 batch`, `1,204 batches`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
