import { TRPCClientError } from "@trpc/client";
import type { Problem } from "@/terms/problems";

export type ShownProblem = Pick<Problem, "title" | "detail"> &
  Partial<Pick<Problem, "code" | "requestId" | "status" | "errors" | "errorCount">>;

/** Names of the API in words: `/batchId has …` is "The batch id has …", and 2 PHASE2_GOLD are 2 gold. */
export const inWords = (detail: string) =>
  detail
    .replace(/(?<=^| )PHASE2_([A-Z]+)(?![\w-])/g, (_, unit: string) => unit.toLowerCase())
    .replaceAll("`secondsToFinalize`", "the wait")
    .replace(/^\/(\S+)/, (_, path: string) => `The ${path.replaceAll(/\/|(?=[A-Z])/g, " ").toLowerCase()}`);

/** Says what happened too: many places show only the detail. */
const UNREACHABLE =
  "Cannot reach the service. Check your network, and before you repeat a change, whether it was applied.";

export function problemOf(error: unknown): ShownProblem {
  const isOfService = error instanceof TRPCClientError;
  const problem = isOfService && (error.data as { problem?: Problem } | null)?.problem;
  if (problem) return { ...problem, detail: inWords(problem.detail) };
  const detail = isOfService ? UNREACHABLE : "The page could not be shown.";
  return { title: "Something went wrong", detail };
}

/** The server's details are predicates, such as "must be more than 0" or "is the zero address". */
export function fieldError(problem: ShownProblem | null, field: string): string | undefined {
  const error = problem?.errors?.find(({ pointer }) => pointer.split("/")[1] === field);
  return error && `It ${error.detail}.`;
}

const RETRIES_MAX = 2;

/**
 * Only for errors that may be temporary, and only for what is safe to repeat: queries, and the submit of a
 * batch under its ID. A query that took too long would take as long again.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  const { status, code } = problemOf(error);
  if (code === "query_timeout") return false;
  return failures < RETRIES_MAX && (status === undefined || status >= 500 || status === 429);
}

const RETRY_MS = 1000;

/** Milliseconds before a retry: the server's `Retry-After`, otherwise twice as long after each failure. */
export function retryDelay(failures: number, error: unknown): number {
  const meta = error instanceof TRPCClientError ? error.meta : undefined;
  const response = meta?.response as Response | undefined;
  const seconds = Number(response?.headers?.get("Retry-After"));
  return seconds > 0 ? seconds * 1000 : RETRY_MS * 2 ** failures;
}

/** For what is safe to repeat, outside of a query of React Query. */
export async function withRetries<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !shouldRetry(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures, error)));
    }
  }
}
