import { setTimeout as sleep } from "node:timers/promises";
import { readPidFile, type ServerHost } from "./embedded-cluster";
import { dropGuard, keepGuard } from "./embedded-guard";
import { withStartLock } from "./embedded-lock";
import { trimLog } from "./embedded-log";
import { hasSessions, isAlive } from "./embedded-process";
import { type RunningServer, startServer, urlOf } from "./embedded-server";
import { stopServer } from "./embedded-stop";

const LOOK_MS = 250;
const TRIM_LOOKS = 240;
const ATTEMPTS_MAX = 10;
const BACKOFF_MS_MAX = 5000;
/** A server that exited sooner than this is restarted only after this delay, since it would probably exit again. */
const SHORT_LIFE_MS = 1000;

export interface Supervisor {
  adopted(): boolean;
  stop(): Promise<void>;
  release(isWanted: () => Promise<boolean>): Promise<void>;
}

/** Checks every 250 ms that the server is alive, and restarts it on its port. Gives up after ten failed attempts in a row. */
export function superviseServer(host: ServerHost, first: RunningServer, abort: AbortController): Supervisor {
  let server = first;
  let startedAt = Date.now();
  let attempts = 0;
  let looks = 0;
  let stopping: Promise<void> | null = null;
  let restart: Promise<void> | null = null;

  const pause = (ms: number) =>
    sleep(ms, undefined, { ref: false, signal: abort.signal }).catch(() => undefined);

  async function startAgain(): Promise<void> {
    if (Date.now() - startedAt < SHORT_LIFE_MS) await pause(SHORT_LIFE_MS);
    while (!stopping && attempts < ATTEMPTS_MAX) {
      attempts++;
      host.log(
        `Postgres ${server.pid} exited, restarting it on port ${first.port} (attempt ${attempts} of ${ATTEMPTS_MAX})`,
      );
      try {
        server = await withStartLock(host.paths.lock, () => startServer(host, first.port));
        startedAt = Date.now();
        attempts = 0;
        host.log(`Postgres restarted on 127.0.0.1:${server.port}, process ${server.pid}`);
        return;
      } catch (error) {
        if (abort.signal.aborted) return;
        host.log(error instanceof Error ? error.message : String(error));
        await pause(Math.min(BACKOFF_MS_MAX, 100 * 2 ** attempts));
      }
    }
    if (stopping) return;
    clearInterval(timer);
    host.log(
      `Postgres failed to start ${ATTEMPTS_MAX} times in a row, giving up. See ${host.paths.log}, then restart the service.`,
    );
  }

  const timer = setInterval(() => {
    if (++looks % TRIM_LOOKS === 0) trimLog(host.paths.log);
    if (restart || isAlive(server.pid)) return;
    restart = startAgain().finally(() => {
      restart = null;
    });
  }, LOOK_MS);
  timer.unref();

  const leaveGuard = keepGuard(host.paths);

  async function stopNow(): Promise<void> {
    clearInterval(timer);
    leaveGuard();
    abort.abort();
    await restart;
    const pid = readPidFile(host.paths)?.pid ?? server.pid;
    await stopServer(host, pid);
    dropGuard(host.paths);
    host.log("Postgres stopped");
  }

  function stop(): Promise<void> {
    stopping ??= stopNow();
    return stopping;
  }

  async function release(isWanted: () => Promise<boolean>): Promise<void> {
    clearInterval(timer);
    // A restart takes the lock itself.
    await restart;
    await withStartLock(host.paths.lock, async () => {
      if (!(await isWanted()) && !(await hasSessions(urlOf(host, server.port)))) return stop();
      leaveGuard();
    });
  }

  return {
    adopted: () => server.adopted,
    stop,
    release,
  };
}
