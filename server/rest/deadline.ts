/** A time limit, whose clock stops while the caller sends the body: a slow connection is not our delay. */
export class Deadline {
  #msLeft: number;
  readonly #onEnd: (hasStarted: boolean) => Error;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #fail: (error: Error) => void = () => undefined;
  #over = false;
  #hasStarted = false;
  #error: Error | undefined;

  /** @param onEnd gets whether a step has started. Without one, the work has changed nothing. */
  constructor(ms: number, onEnd: (hasStarted: boolean) => Error) {
    this.#msLeft = ms;
    this.#onEnd = onEnd;
  }

  /** Called before each step, which should not start when its outcome is no longer needed. */
  throwIfOver(): void {
    if (this.#error) throw this.#error;
    this.#hasStarted = true;
  }

  /** Zero when the outcome is no longer needed. */
  leftMs(): number {
    return this.#over || this.#error ? 0 : this.#msLeft - (performance.now() - this.#startedAt);
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
    this.#msLeft -= performance.now() - this.#startedAt;
    try {
      return await sending;
    } finally {
      if (!this.#over) this.#run();
    }
  }

  /** The outcome is no longer needed. */
  end(): void {
    this.#error ??= this.#onEnd(this.#hasStarted);
    this.#fail(this.#error);
  }

  #run(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.end(), this.#msLeft);
  }
}
