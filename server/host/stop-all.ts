import { log } from "../kernel/log";

interface Stop {
  what: string;
  secondsMax: number;
  stop: () => Promise<unknown>;
}

/** Everything that was started, to be stopped in reverse order. */
export class StopList {
  readonly #stops: Stop[] = [];
  #stopping: Promise<void> | undefined;

  /** @param secondsMax a stop that takes longer is abandoned and logged */
  add(what: string, secondsMax: number, stop: () => Promise<unknown>): void {
    this.#stops.push({ what, secondsMax, stop });
  }

  /** Stops everything, once. Never throws: it logs a failed stop and continues with the rest. */
  stopAll(): Promise<void> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<void> {
    for (let last = this.#stops.pop(); last; last = this.#stops.pop()) {
      try {
        await within(last);
      } catch (error) {
        log().error({ error, what: last.what }, "failed to stop cleanly");
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
