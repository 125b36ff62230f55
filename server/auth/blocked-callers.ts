const BLOCKED_MAX = 10_000;

/** Callers over a limit, refused from memory until their window ends, at no cost to the database. */
export class BlockedCallers {
  /** When each window ends, by this process's steady clock, which nobody can set. */
  readonly #until = new Map<string, number>();

  block(caller: string, msLeft: number): void {
    if (this.#until.size >= BLOCKED_MAX) this.#until.clear();
    this.#until.set(caller, performance.now() + msLeft);
  }

  /** Milliseconds until the caller's window ends; 0 when it is not blocked. */
  msLeft(caller: string): number {
    const until = this.#until.get(caller);
    if (until === undefined) return 0;
    const msLeft = until - performance.now();
    if (msLeft > 0) return msLeft;
    this.#until.delete(caller);
    return 0;
  }
}
