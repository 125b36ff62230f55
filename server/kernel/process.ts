import type { Database } from "@/db/client";

const KEY = Symbol.for("point-transfer-batches.singles");

/** One instance per process. The host and Next's bundles each load a copy of a module, so its state is not enough. */
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
  return (db) => {
    if (!made.has(db)) made.set(db, make(db));
    return made.get(db) as T;
  };
}

interface Lifecycle {
  /** Whether this process is shutting down. The host sets it on a stop signal; readiness and the scheduler read it. */
  draining: boolean;
  /** Sends the last spans; absent where no traces are sent. */
  stopTracing?: () => Promise<void>;
}

export const lifecycle = (): Lifecycle => single("lifecycle", () => ({ draining: false }));

/** Places where a crash leaves work unfinished. Between two of them is a single SQL statement, so a single transaction. */
export type CrashPoint =
  | "before-submit"
  | "after-submit"
  | "after-group"
  | "after-cancel"
  | "after-claim"
  | "after-settle";

const CRASH_AT = process.env.FAULTS === "on" ? process.env.CRASH_AT : undefined;

/** Kills this process like `kill -9`. Only in fault runs: FAULTS must be `on`, and CRASH_AT must name the place. */
export function crashPoint(name: CrashPoint): void {
  if (name === CRASH_AT) process.kill(process.pid, "SIGKILL");
}
