import { postgresError } from "./database-errors";

const DEPTH_MAX = 4;

/**
 * An error for the log: type, code and stack. Messages of the database and of Drizzle are left out, since they quote
 * statements and user input.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const known = postgresError(error);
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(known
      ? { sqlState: known.code, constraint: known.constraint, worker: known.worker }
      : { message: quotable(error) }),
    ...(typeof code === "string" && { code }),
    at: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(error.cause !== undefined && depth < DEPTH_MAX && { cause: describeError(error.cause, depth + 1) }),
  };
}

const quotable = (error: Error) =>
  error.message.startsWith("Failed query") ? "a query failed" : error.message;
