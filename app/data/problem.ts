import { TRPCClientError } from "@trpc/client";
import type { Problem } from "@/server/problems";

export type ShownProblem = Pick<Problem, "title" | "detail"> &
  Partial<Pick<Problem, "code" | "requestId" | "status" | "errors">>;

/** What failed, in words for people, whatever was thrown. */
export function problemOf(error: unknown): ShownProblem {
  if (error instanceof TRPCClientError) {
    const problem = (error.data as { problem?: Problem } | null)?.problem;
    if (problem) return problem;
    return {
      title: "The service cannot be reached",
      detail: "The connection failed on the way. Check the network, then try again.",
    };
  }
  return { title: "Something failed here", detail: "The page could not be shown. Try again." };
}

/** What is wrong with one field of the input, in words. */
export function fieldFault(problem: ShownProblem | null, field: string): string | undefined {
  const fault = problem?.errors?.find(({ pointer }) => pointer.split("/")[1] === field);
  return fault && `This ${fault.detail}.`;
}

const RETRIES_MAX = 2;

/** Only what may pass by itself is tried again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const { status } = problemOf(error);
  return failures < RETRIES_MAX && (status === undefined || status >= 500 || status === 429);
}
