import type { Spread } from "./measure";

/** What one number must reach. */
export interface Target {
  atLeast?: number;
  atMost?: number;
}

export interface Figure extends Spread {
  /** Stays the same from run to run: by it a figure is compared with the committed one. */
  key: string;
  what: string;
  target?: Target;
  /** Which way is worse; figures that are only stated have none. */
  worse?: "lower" | "higher";
}

export interface PartReport {
  title: string;
  /** Markdown below the title. */
  text: string;
  figures: Figure[];
  /** When they are not those of the options. */
  rounds?: number;
}

export interface BenchOptions {
  rounds: number;
  /** Of one run of load. */
  seconds: number;
  /** Most batches of the parts that measure growth. */
  batchesMax: number;
  /** Of load in the part that measures memory. */
  minutes: number;
  /** Names of peers that are left out. */
  without: ReadonlySet<string>;
  /** Whether a row of a part is measured, by its name. */
  wants(row: string): boolean;
}

export type Part = (options: BenchOptions) => Promise<PartReport>;
