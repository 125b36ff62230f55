import type { Shape } from "../cluster/start-cluster";
import type { Cleanup } from "./cleanup";
import type { Random } from "./random";
import type { Tally } from "./tally";

/** What a row receives. */
export interface FaultRun {
  /** A short run for CI: fewer faults, the same promises. */
  short: boolean;
  /** With a shape, a host is two instances behind nginx and a third finalizer; null for a single process. */
  shape: Shape | null;
  random: Random;
  tally: Tally;
  /** Stops and deletes what the row created, in reverse order, even if it fails or is stopped. */
  cleanup: Cleanup;
  /** Aborted when the row runs out of time. */
  signal: AbortSignal;
  /** Ends the row as failed, because what it works with is gone. */
  giveUp(reason: string): void;
}

/** One row of the fault table. */
export interface FaultRow {
  name: string;
  fault: string;
  promise: string;
  /** Time limits of the full and of the short run. */
  secondsMax: { full: number; short: number };
  /** The tool it needs and its Debian package. Without it the row fails, unless that is allowed. */
  tool?: { program: string; package: string };
  /** Why it cannot run on this machine and is skipped; null when it can run. */
  impossible?(): string | null;
  run(run: FaultRun): Promise<void>;
}
