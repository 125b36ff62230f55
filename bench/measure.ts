/** The CPU time of one run over each of the inputs, milliseconds. */
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

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
