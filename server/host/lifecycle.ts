import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { lifecycle } from "@/server/kernel/process";

/** Why the service cannot start and what to do, in one line. */
export class StartError extends Error {
  override name = "StartError";
}

type Stop = { what: string; secondsMax: number; stop: () => Promise<unknown> };

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
        await stopWithin(last);
      } catch (error) {
        log().error({ error, what: last.what }, "failed to stop cleanly");
      }
    }
  }
}

async function stopWithin({ what, secondsMax, stop }: Stop): Promise<void> {
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

/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. Within this time it counts once. */
const SAME_SIGNAL_MS = 1000;

/** Stops cleanly on SIGTERM or SIGINT, immediately on a second. Exits with 1 on an uncaught error. */
export function watchProcess(stop: () => Promise<void>): void {
  let signalledAt = 0;
  const end = async (exitCode: number) => {
    lifecycle().draining = true;
    await stop();
    process.exit(exitCode);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (signalledAt === 0) {
      signalledAt = performance.now();
      logger()?.info({ signal }, "stopping");
      void end(0);
    } else if (performance.now() - signalledAt > SAME_SIGNAL_MS) {
      logger()?.warn({ signal }, "second signal, exiting immediately");
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("unhandledRejection", (error) => {
    // Safe to continue: only the database keeps state between requests, and its transaction was rolled back.
    logger()?.error({ error }, "unhandled rejection");
  });
  process.on("uncaughtException", (error) => {
    if (isDatabaseUnavailable(error)) {
      logger()?.error({ error }, "database connection failed outside a request");
      return;
    }
    if (logger()) logger()?.fatal({ error }, "uncaught error, stopping");
    else process.stderr.write(`${error.stack ?? error.message}\n`);
    void end(1);
  });
}

/** Null until DATABASE_URL is set: the logger would parse the settings, and cache them, without it. */
const logger = () => (process.env.DATABASE_URL ? log() : null);
