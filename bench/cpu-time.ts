import { readdirSync, readFileSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

interface Usage {
  parent: number;
  /** Its own user and system time. */
  ownMs: number;
  /** The same for its exited children. */
  endedMs: number;
}

/** CPU time of a process and its descendants in milliseconds; 0 without /proc. */
export function cpuTimeMs(rootPid: number): number {
  const usages = readAll();
  let total = 0;
  for (const [pid, { ownMs, endedMs }] of usages)
    if (descends(usages, pid, rootPid)) total += ownMs + endedMs;
  return total;
}

function descends(usages: ReadonlyMap<number, Usage>, pid: number, rootPid: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = usages.get(at)?.parent) {
    if (at === rootPid) return true;
  }
  return false;
}

function readAll(): Map<number, Usage> {
  const usages = new Map<number, Usage>();
  let names: string[] = [];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return usages;
  }
  for (const name of names) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      const sum = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * MS_PER_TICK;
      usages.set(Number(name), { parent: Number(fields[1]), ownMs: sum(11), endedMs: sum(13) });
    } catch {
      // It has exited meanwhile.
    }
  }
  return usages;
}
