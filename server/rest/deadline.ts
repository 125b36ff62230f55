import { LOOK_EVERY_MS, REPLY_MS } from "@/server/kernel/in-time";
import { outcomeUnknown } from "@/server/kernel/to-domain-error";

/** A time limit, whose clock stops while the caller sends the body: a slow connection is not our delay. */
export class Deadline {
  #msLeft: number;
  /** Null while the clock stands still. */
  #startedAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #fail: (error: Error) => void = () => undefined;
  #ask: () => Error | null = () => null;
  #over = false;
  #error: Error | undefined;

  constructor(ms: number) {
    this.#msLeft = ms;
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

  /** Asks when little time is left, until there is an error, which then ends the wait. */
  whenShort(ask: () => Error | null): void {
    this.#ask = ask;
  }

  /** The outcome is no longer needed. */
  end(error: Error = outcomeUnknown()): void {
    this.#error ??= error;
    this.#fail(this.#error);
  }

  #run(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#look(), this.#msLeft - REPLY_MS);
  }

  #look(): void {
    const leftMs = this.leftMs();
    const error = leftMs > 0 ? this.#ask() : outcomeUnknown();
    if (error) this.end(error);
    else this.#timer = setTimeout(() => this.#look(), Math.min(leftMs, LOOK_EVERY_MS));
  }
}
