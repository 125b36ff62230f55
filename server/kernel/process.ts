import type { Database } from "@/db/client";
import { baseOf } from "@/db/on-errand";

const KEY = Symbol.for("point-transfer-batches.singles");

/** One instance per process: the host and Next's bundles each load a module, with a state of its own. */
export function single<T>(name: string, make: () => T): T {
  const holder = globalThis as { [KEY]?: Map<string, unknown> };
  holder[KEY] ??= new Map();
  const singles = holder[KEY];
  if (!singles.has(name)) singles.set(name, make());
  return singles.get(name) as T;
}

/** One instance per database of this process: tests use several. */
export function perDatabase<T>(make: (db: Database) => T): (db: Database) => T {
  const made = new WeakMap<Database, T>();
  return (given) => {
    const db = baseOf(given);
    if (!made.has(db)) made.set(db, make(db));
    return made.get(db) as T;
  };
}

interface Lifecycle {
  /** The host sets it on a stop signal; readiness and the scheduler read it. */
  draining: boolean;
  /** Sends the last spans; absent where no traces are sent. */
  stopTracing?: () => Promise<void>;
}

export const lifecycle = (): Lifecycle => single("lifecycle", () => ({ draining: false }));

/** Where a crash leaves work unfinished. Between two of them is one SQL statement, so one transaction. */
export type CrashPoint =
  | "before-submit"
  | "after-submit"
  | "after-group"
  | "after-cancel"
  | "after-claim"
  | "after-settle";

const CRASH_AT = process.env.FAULTS === "on" ? process.env.CRASH_AT : undefined;

/** Like `kill -9`. Only in fault runs: FAULTS must be `on`, and CRASH_AT must name the place. */
export function crashPoint(name: CrashPoint): void {
  if (name === CRASH_AT) process.kill(process.pid, "SIGKILL");
}
