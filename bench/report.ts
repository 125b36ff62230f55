import type { Spread } from "./measure";
import type { World } from "./world";

/** A figure's target. */
export interface Target {
  atLeast?: number;
  atMost?: number;
}

export interface Figure extends Spread {
  /** Stable between runs, for the comparison with the committed figure. */
  key: string;
  what: string;
  target?: Target;
  /** Which direction is worse; informational figures have none. */
  worse?: "lower" | "higher";
}

export interface PartReport {
  title: string;
  /** The Markdown below the title. */
  text: string;
  figures: Figure[];
  /** If different from the options. */
  rounds?: number;
}

export interface BenchOptions {
  rounds: number;
  /** Seconds of one run of load. */
  seconds: number;
  /** The largest number of batches for growth. */
  batchesMax: number;
  /** Minutes of load for memory. */
  minutes: number;
  /** Names of skipped peers. */
  without: ReadonlySet<string>;
  /** Whether to measure a row, by its name. */
  wants(row: string): boolean;
}

export type Part = (options: BenchOptions, world: World) => Promise<PartReport>;
