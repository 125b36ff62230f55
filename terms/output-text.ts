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

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** The two largest units: `1 d 4 h`, `3 min 12 s`, `8 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([, size]) => whole >= size);
  if (first === -1) return "0 s";
  let rest = whole;
  const words: string[] = [];
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${name}`);
  }
  return words.join(" ");
}

/** As it is if it cannot be decoded: such a path leads to a page that is not found. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
