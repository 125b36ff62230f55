import { DomainError, type ProblemCode } from "@/terms/problems";

const after = (code: ProblemCode, detail: string, seconds: number, cause?: unknown) =>
  new DomainError(code, detail, { headers: { "Retry-After": String(seconds) }, cause });

/** The error for a caller that has to wait. @param reason a sentence */
export function rateLimited(reason: string, seconds: number): DomainError {
  const unit = seconds === 1 ? "second" : "seconds";
  return after("rate_limited", `${reason} Retry in ${seconds} ${unit}.`, seconds);
}

/** The error for what cannot be done now, for reasons that pass. */
export const unavailable = (detail: string, seconds: number, cause?: unknown): DomainError =>
  after("unavailable", detail, seconds, cause);

const RETRY_AFTER_SECONDS = 5;

export const retryLater = (detail: string, cause?: unknown): DomainError =>
  unavailable(detail, RETRY_AFTER_SECONDS, cause);
