import { log } from "../kernel/log";

interface Stop {
  what: string;
  secondsMax: number;
  stop: () => Promise<unknown>;
}

/** What has been started, to be stopped in reverse order. */
export class StopList {
  readonly #stops: Stop[] = [];
  #stopping: Promise<void> | undefined;

  /** @param secondsMax a stop that takes longer is left behind, with a line in the log */
  add(what: string, secondsMax: number, stop: () => Promise<unknown>): void {
    this.#stops.push({ what, secondsMax, stop });
  }

  /** Stops all, once. Never throws: what fails is logged, and the rest is stopped all the same. */
  stopAll(): Promise<void> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<void> {
    for (let last = this.#stops.pop(); last; last = this.#stops.pop()) {
      try {
        await within(last);
      } catch (error) {
        log().error({ error, what: last.what }, "could not be stopped in order");
      }
    }
  }
}

async function within({ what, secondsMax, stop }: Stop): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took longer than ${secondsMax} s to stop`)),
      secondsMax * 1000,
    );
  });
  try {
    await Promise.race([stop(), late]);
  } finally {
    clearTimeout(timer);
  }
}
