import pino, { type Logger } from "pino";
import { describeError } from "./log-error";
import { settings } from "./settings";
import { single } from "./single";

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
