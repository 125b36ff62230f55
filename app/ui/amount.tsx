import { classNames } from "./class-names";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** A decimal string with its digits grouped; exact, for no float is made of it. */
export function formatAmount(value: string): string {
  return grouped.format(value as Intl.StringNumericLiteral);
}

/** Most digits after the point among amounts: what a column must leave room for. */
export function fractionDigits(values: readonly string[]): number {
  return values.reduce((most, value) => Math.max(most, (value.split(".")[1] ?? "").length), 0);
}

interface AmountProps {
  value: string;
  /** Digits after the point that the column has room for: points stand under points. */
  fraction?: number;
  className?: string;
}

export function Amount({ value, fraction = 0, className }: AmountProps) {
  const [whole, decimals] = formatAmount(value).split(".");
  return (
    <span className={classNames("whitespace-nowrap tabular-nums", className)}>
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
