import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { causesOf } from "./causes";
import { consoleSeconds } from "./database";
import { isDatabaseUnavailable, isReadOnly } from "./database-errors";
import { unavailable } from "./retry-later";
import { countFieldErrors, toFieldErrors } from "./to-field-errors";
import { DomainError, type ProblemCode } from "./values/problems";

/** Sent as `Retry-After` when the database is down. */
const RETRY_AFTER_SECONDS = 2;

/** Errors that tRPC itself finds before any procedure runs. */
const TRANSPORT_ERRORS: Partial<Record<TRPCError["code"], { code: ProblemCode; detail: string }>> = {
  NOT_FOUND: { code: "not_found", detail: "This path does not exist." },
  PARSE_ERROR: { code: "invalid_json", detail: "The request is not valid JSON." },
  BAD_REQUEST: { code: "invalid_json", detail: "The request could not be read." },
  METHOD_NOT_SUPPORTED: { code: "method_not_allowed", detail: "This path does not support the method." },
  UNSUPPORTED_MEDIA_TYPE: {
    code: "unsupported_media_type",
    detail: "Send `Content-Type: application/json`.",
  },
};

/** The database is down or too busy to answer. Whether the request was applied is unknown. */
export const databaseTimeout = (cause?: unknown): DomainError =>
  unavailable(
    "The database did not answer in time. The request may or may not have been applied.",
    RETRY_AFTER_SECONDS,
    cause,
  );

/**
 * A read in the console that Postgres stopped. A retry would take as long, so the message says what to change. Reports have
 * no filters and bring their own message.
 */
export function queryTimeout(cause: unknown): DomainError {
  const detail =
    [...causesOf(cause)].find((each) => each instanceof DomainError)?.message ??
    `The query was stopped after ${consoleSeconds()} s. Narrow the filters, for example to one contract or a shorter period, then try again.`;
  return new DomainError("query_timeout", detail, { cause });
}

/** Maps any failure to one that callers may see. Unexpected errors become `internal_error`; their text stays in the log. */
export function toDomainError(error: unknown): DomainError {
  for (const at of causesOf(error)) {
    if (at instanceof DomainError) return at;
    if (at instanceof z.core.$ZodError && isInputError(error)) return invalidInput(at);
  }
  if (isReadOnly(error))
    return unavailable("The database is read-only. The request was not applied.", RETRY_AFTER_SECONDS, error);
  if (isDatabaseUnavailable(error)) return databaseTimeout(error);
  const transport = error instanceof TRPCError && TRANSPORT_ERRORS[error.code];
  if (transport) return new DomainError(transport.code, transport.detail);
  return new DomainError(
    "internal_error",
    "An internal error occurred. Details are logged under the request ID.",
    { cause: error },
  );
}

/** A zod error in an output is a bug in the service, not a bad request. */
const isInputError = (error: unknown) =>
  error instanceof z.core.$ZodError || (error instanceof TRPCError && error.code === "BAD_REQUEST");

/** Fields as they were found, and within a list its rows in order: they are checked in two passes. */
function inRowOrder(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const fields = [...new Set(issues.map(({ path }) => path[0]))];
  const rankOf = new Map(fields.map((field, rank) => [field, rank]));
  const rowOf = ({ path }: z.core.$ZodIssue) => (typeof path[1] === "number" ? path[1] : -1);
  return [...issues].sort((a, b) => rankOf.get(a.path[0])! - rankOf.get(b.path[0])! || rowOf(a) - rowOf(b));
}

/** The error for an input that failed validation. */
export function invalidInput(error: z.core.$ZodError): DomainError {
  const errors = toFieldErrors(inRowOrder(error.issues));
  const errorCount = countFieldErrors(error.issues);
  const detail =
    errorCount === 1
      ? `${errors[0]!.pointer || "The input"} ${errors[0]!.detail}.`
      : `${errorCount} fields are invalid.`;
  return new DomainError("validation_failed", detail, { errors, errorCount });
}
