import { databaseIsAway } from "../kernel/database-faults";
import { lifecycle } from "../kernel/lifecycle";
import { log } from "../kernel/log";

/** Ctrl-C reaches us twice below npm, from the terminal and from npm: what comes this soon is the same wish. */
const SAME_SIGNAL_MS = 1000;

/**
 * Stops in order on SIGTERM and SIGINT, at once on a second signal; stops with exit code 1 on an error that nobody
 * caught. A rejection that nobody awaited, and a fault of a connection, is logged and served on.
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
      logger()?.warn({ signal }, "stopped at once, by a second signal");
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("unhandledRejection", (error) => {
    // No state of ours outlives a request but in the database, whose transaction the rejection has rolled back.
    logger()?.error({ error }, "a rejection that nobody awaited");
  });
  process.on("uncaughtException", (error) => {
    if (databaseIsAway(error)) {
      logger()?.error({ error }, "a connection failed outside of any request");
      return;
    }
    if (logger()) logger()?.fatal({ error }, "an error that nobody caught; stopping");
    else process.stderr.write(`${error.stack ?? error.message}\n`);
    void end(1);
  });
}

/** None before the environment is complete: the log would parse the settings, and keep them, without DATABASE_URL. */
function logger() {
  return process.env.DATABASE_URL ? log() : null;
}
