import { setTimeout as sleep } from "node:timers/promises";

const VIOLATIONS_MAX = 20;

/** What one row has seen so far. */
export class Tally {
  /** Faults injected. */
  injected = 0;
  /** Requests that got an answer, by status. */
  readonly answers = new Map<number, number>();
  /** How often all invariants were read in one snapshot. */
  reads = 0;
  violationCount = 0;
  /** Messages of the first ones. */
  readonly violations: string[] = [];
  worstRecoveryMs = 0;
  slowestAnswerMs = 0;
  /** Requests whose connection ended without an answer. */
  unanswered = 0;
  readonly notes: string[] = [];
  #recoversSince: number | null = null;

  get answered(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  answer(status: number, ms: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, ms);
    if (status < 300) this.#recovered();
  }

  /** From now until the next success counts as recovery. */
  recovering(): void {
    this.#recoversSince ??= performance.now();
  }

  /** Waits for the next success, which must come within `secondsMax`. */
  async expectRecovery(secondsMax: number, after: string): Promise<void> {
    this.recovering();
    const endsAt = performance.now() + secondsMax * 1000;
    while (this.#recoversSince !== null && performance.now() < endsAt) await sleep(20);
    this.expect(this.#recoversSince === null, `no success within ${secondsMax} s after ${after}`);
  }

  /** Another fault came before the recovery. */
  forgetRecovery(): void {
    this.#recoversSince = null;
  }

  violate(words: string): void {
    this.violationCount++;
    if (this.violations.length < VIOLATIONS_MAX && !this.violations.includes(words))
      this.violations.push(words);
  }

  /** Checks a promise of the row; a false one is a violation. */
  expect(holds: boolean, words: string): void {
    if (!holds) this.violate(words);
  }

  #recovered(): void {
    if (this.#recoversSince === null) return;
    this.worstRecoveryMs = Math.max(this.worstRecoveryMs, performance.now() - this.#recoversSince);
    this.#recoversSince = null;
  }
}
