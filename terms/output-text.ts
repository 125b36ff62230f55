const grouped = new Intl.NumberFormat("en-US");

/** Groups the digits of a decimal string. Exact, because it never becomes a float. */
export function formatAmount(value: string): string {
  const [whole = "", decimals] = value.split(".");
  // `NumberFormat` would round a token's amount, which may have more decimals than it shows.
  const digits = grouped.format(whole as Intl.StringNumericLiteral);
  return decimals ? `${digits}.${decimals}` : digits;
}

export const formatCount = (count: number) => formatAmount(String(count));

/** `1 batch`, `1,204 batches`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
