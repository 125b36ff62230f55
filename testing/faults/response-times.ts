import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { FaultRun } from "./fault-row";

/** Has an app measure its response times by its own clock, because a client on a busy machine sees longer ones. */
export class ResponseTimes {
  /** Start the app with these variables. */
  readonly environment: Record<string, string>;
  readonly #file: string;
  readonly #run: FaultRun;

  constructor(run: FaultRun) {
    this.#run = run;
    this.#file = path.join(run.cleanup.folder(), "times.json");
    this.environment = {
      NODE_OPTIONS: `--import ${pathToFileURL("testing/faults/time-responses.mjs").href}`,
      TIME_ANSWERS_TO: this.#file,
    };
  }

  /** Measured from a request's arrival, minus the time in which a busy machine gave the app no CPU. */
  expectWithin(msMax: number): void {
    const { slowestMs, stillMs } = JSON.parse(readFileSync(this.#file, "utf8")) as {
      slowestMs: number;
      stillMs: number;
    };
    const [slowest, still] = [slowestMs, stillMs].map((ms) => (ms / 1000).toFixed(2));
    this.#run.tally.notes.push(
      `the app answered within ${slowest} s of a request's arrival, and was stalled for up to ${still} s`,
    );
    this.#run.tally.expect(slowestMs > 0, "the app recorded no response time");
    this.#run.tally.expect(slowestMs - stillMs <= msMax, `the app took ${slowest} s to answer`);
  }
}
