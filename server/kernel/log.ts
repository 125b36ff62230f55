import { format, stripVTControlCharacters } from "node:util";
import pino, { type Logger } from "pino";
import { postgresError } from "./database-errors";
import { single } from "./process";
import { settings } from "./settings";

const DEPTH_MAX = 4;

/** Without messages of the database and of Drizzle, which quote statements and user input. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const known = postgresError(error);
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(known
      ? { sqlState: known.code, constraint: known.constraint, worker: known.worker }
      : { message: error.message.startsWith("Failed query") ? "a query failed" : error.message }),
    ...(typeof code === "string" && { code }),
    at: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(error.cause !== undefined && depth < DEPTH_MAX && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** The service's log: JSON lines on standard error. Never log a token, signature or body. */
export function log(): Logger {
  return single("log", () =>
    pino(
      {
        level: settings().LOG_LEVEL,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        errorKey: "error",
        serializers: { error: (error: unknown) => describeError(error) },
      },
      pino.destination({ fd: 2, sync: true }),
    ),
  );
}

type Level = "error" | "warn" | "info" | "debug";

const QUIET_MS = 60_000;
/** With more different messages per minute than this, repeats are logged too. */
const MESSAGES_MAX = 1000;
const MESSAGE_LENGTH_MAX = 500;

type Seen = { until: number; repeats: number };

/** At most once a minute, with the number of repeats, since callers can provoke most messages. */
export function logRarely(level: Level, message: string, error?: unknown): void {
  const seen = single("messages-seen", () => new Map<string, Seen>());
  const key = `${level} ${message} ${error instanceof Error ? `${error.name} ${error.message}` : ""}`;
  const last = seen.get(key);
  const now = performance.now();
  if (last && last.until > now) {
    last.repeats++;
    return;
  }
  if (seen.size >= MESSAGES_MAX) seen.clear();
  seen.set(key, { until: now + QUIET_MS, repeats: 0 });
  log()[level](
    { ...(error !== undefined && { error }), ...(last?.repeats && { repeats: last.repeats }) },
    message,
  );
}

const LEVELS = {
  error: "error",
  warn: "warn",
  info: "info",
  log: "info",
  debug: "debug",
  trace: "debug",
} as const;

/** What Next, React and Node print goes to the log, so that every line is JSON. Idempotent. */
export function sendConsoleToLog(): void {
  single("console-log", () => {
    for (const name of Object.keys(LEVELS) as (keyof typeof LEVELS)[])
      console[name] = (...given: unknown[]) => logConsole(LEVELS[name], given);
    process.removeAllListeners("warning");
    process.on("warning", (warning) => logRarely("warn", "Node warning", warning));
    return true;
  });
}

/** Objects are left out: they may hold a request. */
function logConsole(level: Level, given: unknown[]): void {
  const error = given.find((each) => each instanceof Error);
  const texts = given.filter((each) => typeof each === "string" || typeof each === "number");
  const message = stripVTControlCharacters(format(...texts)).trim();
  logRarely(level, message.slice(0, MESSAGE_LENGTH_MAX) || "console", error);
}
