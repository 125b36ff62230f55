import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { FaultRun } from "./fault-row";

/** Has an app note how long its answers take by its own clock: what a client on a busy machine sees is longer. */
export class AnswerTimes {
  /** To start the app with. */
  readonly environment: Record<string, string>;
  readonly #file: string;
  readonly #run: FaultRun;

  constructor(run: FaultRun) {
    this.#run = run;
    this.#file = path.join(run.cleanup.folder(), "times.json");
    this.environment = {
      NODE_OPTIONS: `--import ${pathToFileURL("testing/faults/time-answers.mjs").href}`,
      TIME_ANSWERS_TO: this.#file,
    };
  }

  /** From the arrival of a request, not counting the time for which a busy machine left the app alone. */
  expectWithin(msMax: number): void {
    const { slowestMs, stillMs } = JSON.parse(readFileSync(this.#file, "utf8")) as {
      slowestMs: number;
      stillMs: number;
    };
    const [slowest, still] = [slowestMs, stillMs].map((ms) => (ms / 1000).toFixed(2));
    this.#run.tally.notes.push(
      `the app answered within ${slowest} s of a request's arrival, and stood still for up to ${still} s`,
    );
    this.#run.tally.expect(slowestMs > 0, "the app timed no answer");
    this.#run.tally.expect(slowestMs - stillMs <= msMax, `the app took ${slowest} s for an answer`);
  }
}
