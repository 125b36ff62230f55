/** A time limit, whose clock stops while the caller sends the body: a slow connection is not our delay. */
export class Deadline {
  #msLeft: number;
  readonly #onEnd: () => Error;
  /** Null while the clock stands still. */
  #startedAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #fail: (error: Error) => void = () => undefined;
  #over = false;
  #error: Error | undefined;

  constructor(ms: number, onEnd: () => Error) {
    this.#msLeft = ms;
    this.#onEnd = onEnd;
  }

  /** Work with several steps should not start the next one when its outcome is no longer needed. */
  throwIfOver(): void {
    if (this.#error) throw this.#error;
  }

  /** Zero when the outcome is no longer needed. */
  leftMs(): number {
    if (this.#over || this.#error) return 0;
    return this.#startedAt === null ? this.#msLeft : this.#msLeft - (performance.now() - this.#startedAt);
  }

  /** What the work returns, or the deadline's error if that comes first. The work then continues unheard. */
  async bound<T>(work: () => Promise<T>): Promise<T> {
    const end = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#run();
    try {
      return await Promise.race([work(), end]);
    } finally {
      this.#over = true;
      clearTimeout(this.#timer);
    }
  }

  /** Waits for the caller. The server's own timeouts limit this wait. */
  async whileCallerSends<T>(sending: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#msLeft = this.leftMs();
    this.#startedAt = null;
    try {
      return await sending;
    } finally {
      if (!this.#over) this.#run();
    }
  }

  /** The outcome is no longer needed. */
  end(): void {
    this.#error ??= this.#onEnd();
    this.#fail(this.#error);
  }

  #run(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.end(), this.#msLeft);
  }
}
