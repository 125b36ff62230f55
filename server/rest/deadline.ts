/** A bound on the time of one request that stands still while the caller sends the body: a slow link is no slow service. */
export class Deadline {
  #msLeft: number;
  readonly #onEnd: () => Error;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #fail: (error: Error) => void = () => undefined;
  #over = false;
  readonly #abort = new AbortController();

  constructor(ms: number, onEnd: () => Error) {
    this.#msLeft = ms;
    this.#onEnd = onEnd;
  }

  /** Aborted when nobody waits for the outcome any more: what has more steps should not begin the next. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The work's own outcome, or the deadline's error when that comes first; the work then goes on unheard. */
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

  /** Waits for the caller, who is bounded by the server's own time-outs. */
  async whileCallerSends<T>(sending: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#msLeft -= performance.now() - this.#startedAt;
    try {
      return await sending;
    } finally {
      if (!this.#over) this.#run();
    }
  }

  /** Nobody waits for the outcome any more. */
  end(): void {
    const error = this.#onEnd();
    this.#fail(error);
    this.#abort.abort(error);
  }

  #run(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.end(), this.#msLeft);
  }
}
