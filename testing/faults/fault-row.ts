import type { Shape } from "../cluster/start-cluster";
import type { Cleanup } from "./cleanup";
import type { Random } from "./random";
import type { Tally } from "./tally";

/** What a row is given. */
export interface FaultRun {
  /** The short form, for CI: fewer faults, the same promises. */
  short: boolean;
  /** A host is then two instances behind nginx with a third finalizer; null for one by itself. */
  shape: Shape | null;
  random: Random;
  tally: Tally;
  /** Ends and deletes what the row has made, in reverse order, also when it fails or is stopped. */
  cleanup: Cleanup;
  /** Aborted when the row's time is over. */
  signal: AbortSignal;
  /** Ends the row as failed: what it works with is gone. */
  giveUp(reason: string): void;
}

/** One row of the fault table. */
export interface FaultRow {
  name: string;
  fault: string;
  promise: string;
  /** Longest time of the full and of the short form. */
  secondsMax: { full: number; short: number };
  /** Debian's package of a tool it needs. Without it the row fails, unless that is allowed. */
  tool?: { program: string; package: string };
  /** Why it cannot run on this machine, where it is skipped; null when it can. */
  impossible?(): string | null;
  run(run: FaultRun): Promise<void>;
}
