interface TurnRules<Claim> {
  /** Whether work may start next to what is running. */
  fits(running: readonly Claim[], claim: Claim): boolean;
  /** Whether work that does not fit may wait for its turn. */
  mayWait(waiting: readonly Claim[], claim: Claim): boolean;
  waitMsMax: number;
}

interface Waiter<Claim> {
  claim: Claim;
  start: () => void;
}

/** Limits what this process does at the same time. The rest waits for its turn, in order of arrival. */
export class Turns<Claim> {
  readonly #rules: TurnRules<Claim>;
  readonly #running: Claim[] = [];
  readonly #waiting = new Set<Waiter<Claim>>();

  constructor(rules: TurnRules<Claim>) {
    this.#rules = rules;
  }

  /**
   * Runs work when its turn comes.
   * @param busy the error when too much waits, or when the turn comes too late; the work then never runs
   */
  async run<T>(claim: Claim, work: () => Promise<T>, busy: () => Error): Promise<T> {
    if (this.#rules.fits(this.#running, claim)) this.#running.push(claim);
    else await this.#wait(claim, busy);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(claim), 1);
      for (const waiter of this.#waiting) if (this.#rules.fits(this.#running, waiter.claim)) waiter.start();
    }
  }

  #wait(claim: Claim, busy: () => Error): Promise<void> {
    const claims = [...this.#waiting].map((waiter) => waiter.claim);
    if (!this.#rules.mayWait(claims, claim)) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter<Claim> = {
        claim,
        start: () => {
          leave();
          this.#running.push(claim);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(busy());
      }, this.#rules.waitMsMax);
      this.#waiting.add(waiter);
    });
  }
}

/** Turns of work that waits in one line per key, such as a person. @param runningMax of all keys together */
export function turnsPerKey(
  perKeyMax: number,
  waitingPerKeyMax: number,
  waitSecondsMax: number,
  runningMax = Number.POSITIVE_INFINITY,
): Turns<string> {
  const countOf = (keys: readonly string[], key: string) => keys.filter((one) => one === key).length;
  return new Turns<string>({
    fits: (running, key) => running.length < runningMax && countOf(running, key) < perKeyMax,
    mayWait: (waiting, key) => countOf(waiting, key) < waitingPerKeyMax,
    waitMsMax: waitSecondsMax * 1000,
  });
}
