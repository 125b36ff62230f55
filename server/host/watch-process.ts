import { lifecycle } from "@/server/kernel/process";
import { isDatabaseUnavailable } from "../kernel/database-errors";
import { log } from "../kernel/log";

/** Under npm, Ctrl-C arrives twice, from the terminal and from npm. A second signal within this time counts as the same. */
const SAME_SIGNAL_MS = 1000;

/**
 * Stops cleanly on SIGTERM and SIGINT, and immediately on a second signal. Stops with exit code 1 on an uncaught error.
 * Unhandled rejections and lost database connections are only logged.
 */
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
function logger() {
  return process.env.DATABASE_URL ? log() : null;
}
