/** CPU milliseconds of one run for each input. */
export async function cpuMsEach<T>(inputs: readonly T[], run: (input: T) => unknown): Promise<number> {
  for (const input of inputs.slice(0, 10)) await run(input);
  const before = process.cpuUsage();
  for (const input of inputs) await run(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / inputs.length;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A median with the minimum and maximum. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** A ratio per round, so that a slow round affects both sides. */
export const ratioOf = (values: readonly number[], others: readonly number[]): Spread =>
  spreadOf(values.map((value, round) => value / others[round]!));

/** Three significant digits. */
export function short(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

export const withSpread = ({ median: middle, low, high }: Spread): string =>
  `${short(middle)} (${short(low)}–${short(high)})`;

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
