import { TRPCClientError } from "@trpc/client";
import type { Problem } from "@/server/kernel/values/problems";

export type ShownProblem = Pick<Problem, "title" | "detail"> &
  Partial<Pick<Problem, "code" | "requestId" | "status" | "errors">>;

/** Turns anything thrown into a title and a detail to show. */
export function problemOf(error: unknown): ShownProblem {
  if (error instanceof TRPCClientError) {
    const problem = (error.data as { problem?: Problem } | null)?.problem;
    if (problem) return problem;
    return {
      title: "Cannot reach the service",
      detail: "Check your network connection, then try again.",
    };
  }
  return { title: "Something went wrong", detail: "The page could not be shown. Try again." };
}

export function fieldError(problem: ShownProblem | null, field: string): string | undefined {
  const error = problem?.errors?.find(({ pointer }) => pointer.split("/")[1] === field);
  return error && fieldErrorText(error.detail);
}

/** The server's details are predicates, such as "must be more than 0" or "is the zero address". */
export const fieldErrorText = (detail: string) =>
  detail.startsWith("must ") ? `Must ${detail.slice(5)}.` : `This ${detail}.`;

const RETRIES_MAX = 2;

/** Only for errors that may be temporary. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const { status } = problemOf(error);
  return failures < RETRIES_MAX && (status === undefined || status >= 500 || status === 429);
}
