import { existsSync, readdirSync, readFileSync } from "node:fs";

/** One run of a side. CPU time is per request or batch, and a busy machine affects it less than the rate. */
export interface Measured {
  perSecond: number;
  serviceCpuMs: number;
  databaseCpuMs: number;
}

export interface Side {
  name: string;
  run(): Promise<Measured>;
}

export interface BenchOptions {
  rounds: number;
  /** Seconds of one run of load. */
  seconds: number;
  /** Numbers of stored batches for lists. */
  sizes: number[];
  /** Names of skipped peers. */
  without: ReadonlySet<string>;
  /** Whether to measure a row, by its name. */
  wants(row: string): boolean;
}

/**
 * Measures every row in turns (A B C, B C A, …), so that no side always follows the same one, after a round
 * that does not count. In an odd number of rounds, one side would come first more often.
 * @param over the side whose rate is divided by those of `unders`, round by round, so that a slow round
 * affects both
 * @returns a Markdown table of medians, with the least and most of each ratio
 */
export async function measureWorks(
  works: readonly { name: string; sides(): Promise<Side[]> }[],
  over: string,
  unders: readonly string[],
  { rounds, wants }: BenchOptions,
): Promise<string> {
  const rows: string[][] = [];
  const names = new Set<string>();
  for (const { name: work, sides: openSides } of works.filter(({ name }) => wants(name))) {
    const sides = await openSides();
    const measured = new Map<string, Measured[]>(sides.map(({ name }) => [name, []]));
    for (let turn = -sides.length; turn < rounds * sides.length; turn++) {
      const side = sides.at((turn + Math.floor(turn / sides.length)) % sides.length)!;
      const run = await side.run();
      if (turn >= 0) measured.get(side.name)!.push(run);
    }
    for (const name of measured.keys()) names.add(name);
    const cells = [...measured.values()].map((runs) => {
      const middle = (field: keyof Measured) => short(median(runs.map((run) => run[field])));
      return `${middle("perSecond")} (${middle("serviceCpuMs")} + ${middle("databaseCpuMs")} ms)`;
    });
    const compared = unders.map((under) => {
      const [ones, others] = [measured.get(over), measured.get(under)];
      if (!ones || !others) return "–";
      const values = ones.map((one, round) => one.perSecond / others[round]!.perSecond);
      return `${short(median(values))} (${short(Math.min(...values))}–${short(Math.max(...values))})`;
    });
    rows.push([work, ...cells, ...compared]);
    console.log(`  ${rows.at(-1)!.join(" | ")}`);
  }
  return table(["work", ...names, ...unders.map((under) => `${over} ÷ ${under}`)], rows);
}

/**
 * Measures two numbers in turns, after one round that does not count.
 * @returns medians, and the median of a ratio by round, with the least and most
 */
export async function compare(rounds: number, one: () => Promise<number>, other: () => Promise<number>) {
  await one();
  await other();
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const isTurned = round % 2 === 1;
    const first = await (isTurned ? other : one)();
    const second = await (isTurned ? one : other)();
    pairs.push(isTurned ? [second, first] : [first, second]);
  }
  return {
    one: median(pairs.map(([value]) => value)),
    other: median(pairs.map(([, value]) => value)),
    ratio(of: (one: number, other: number) => number): string {
      const ratios = pairs.map(([first, second]) => of(first, second));
      return `${short(median(ratios))} (${short(Math.min(...ratios))}–${short(Math.max(...ratios))})`;
    },
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/** Three significant digits. */
export function short(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** CPU time of a process, its children and its ended children in milliseconds; 0 without /proc. */
export function cpuTimeMs(rootPid: number): number {
  let hundredths = 0;
  for (const pid of existsSync("/proc") ? readdirSync("/proc") : []) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, parent, ...rest] = text.split(") ").at(-1)!.split(" ").map(Number);
      if (Number(pid) !== rootPid && parent !== rootPid) continue;
      hundredths += rest.slice(9, 13).reduce((sum, each) => sum + each, 0);
    } catch {
      // It has exited meanwhile.
    }
  }
  return hundredths * 10;
}
