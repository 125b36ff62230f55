import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { databaseIsAway } from "./database-faults";
import { countFieldErrors, toFieldErrors } from "./to-field-errors";
import { DomainError, type ProblemCode } from "./values/problems";

/** Seconds after which a caller may try again when the database is away. */
const RETRY_AFTER_SECONDS = 2;

/** Faults of a request that tRPC's own door finds before any procedure runs. */
const TRANSPORT_FAULTS: Partial<Record<TRPCError["code"], { code: ProblemCode; detail: string }>> = {
  NOT_FOUND: { code: "not_found", detail: "There is nothing here." },
  PARSE_ERROR: { code: "invalid_json", detail: "The request is not valid JSON." },
  BAD_REQUEST: { code: "invalid_json", detail: "The request cannot be read." },
  METHOD_NOT_SUPPORTED: { code: "method_not_allowed", detail: "The method is not allowed here." },
  UNSUPPORTED_MEDIA_TYPE: { code: "unsupported_media_type", detail: "Send application/json." },
};

/** The database is away, or so busy that it comes to the same: whether something was stored is not known. */
export function databaseTookTooLong(cause?: unknown): DomainError {
  return new DomainError(
    "unavailable",
    "The database did not answer in time; nothing is known to be stored.",
    {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
      cause,
    },
  );
}

/** What a failure is called outside. Whatever is not expected becomes `internal_error`: its words stay in the log. */
export function toDomainError(error: unknown): DomainError {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at instanceof DomainError) return at;
    if (at instanceof z.core.$ZodError && isInputFault(error)) return invalidInput(at);
  }
  if (databaseIsAway(error)) return databaseTookTooLong(error);
  const transport = error instanceof TRPCError && TRANSPORT_FAULTS[error.code];
  if (transport) return new DomainError(transport.code, transport.detail);
  return new DomainError(
    "internal_error",
    "The request could not be carried out. The request id finds it in the log.",
    {
      cause: error,
    },
  );
}

/** A zod error of an output is a fault of ours, not of the caller. */
const isInputFault = (error: unknown) =>
  error instanceof z.core.$ZodError || (error instanceof TRPCError && error.code === "BAD_REQUEST");

/** The problem of an input that broke rules. */
export function invalidInput(error: z.core.$ZodError): DomainError {
  const errors = toFieldErrors(error.issues);
  const errorCount = countFieldErrors(error.issues);
  const detail =
    errorCount === 1 ? `${errors[0]!.pointer} ${errors[0]!.detail}.` : `${errorCount} things must be mended.`;
  return new DomainError("validation_failed", detail, { errors, errorCount });
}
