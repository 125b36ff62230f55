import "server-only";
import { toDomainError } from "@/server/kernel/to-domain-error";
import type { ProblemCode } from "@/server/kernel/values/problems";

const BUSY: readonly ProblemCode[] = ["unavailable", "query_timeout", "rate_limited"];

/** Null when the service is too busy to compute it, so that the rest of the page still renders. */
export async function unlessBusy<T>(computed: Promise<T>): Promise<T | null> {
  try {
    return await computed;
  } catch (error) {
    if (BUSY.includes(toDomainError(error).code)) return null;
    throw error;
  }
}
