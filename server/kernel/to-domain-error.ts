import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { isTooLate } from "@/db/errand";
import {
  DomainError,
  FIELD_CODES,
  FIELD_ERRORS_MAX,
  type FieldCode,
  type FieldError,
  type ProblemCode,
} from "@/terms/problems";
import { callerWaitMs, consoleSeconds } from "./database";
import {
  causesOf,
  isDatabaseUnavailable,
  isReadOnly,
  isStatementLost,
  wasNotApplied,
} from "./database-errors";
import { unavailable } from "./retry-after";

type Issue = z.core.$ZodIssue;

export const countFieldErrors = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);

/** Only the first hundred unknown fields of an object are listed, since a caller can send any number. */
export function toFieldErrors(issues: readonly Issue[]): FieldError[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.slice(0, FIELD_ERRORS_MAX).map((key) => ({
          pointer: toPointer([...issue.path, key]),
          code: "unknown_field" as const,
          detail: "is not a field of this operation",
        }))
      : [{ pointer: toPointer(issue.path), ...wordsFor(issue) }],
  );
}

/** A caller's own name, for a reply: readers of JSON refuse half a character, terminals obey controls. */
export const repeatable = (name: string): string =>
  name.slice(0, 64).replaceAll(/[\p{Cc}\p{Surrogate}]/gu, "\ufffd");

function toPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => `/${repeatable(String(key)).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

function wordsFor(issue: Issue): { code: FieldCode; detail: string } {
  switch (issue.code) {
    case "custom": {
      const code = issue.params?.code as FieldCode | undefined;
      return { code: code && code in FIELD_CODES ? code : "invalid_value", detail: issue.message };
    }
    case "invalid_type":
      return issue.message.includes("received undefined")
        ? { code: "required", detail: "is required" }
        : { code: "invalid_type", detail: `must be ${article(issue.expected)}` };
    case "invalid_value":
      return { code: "invalid_value", detail: `must be one of ${issue.values.map(String).join(", ")}` };
    case "too_small":
      return { code: "out_of_range", detail: `must ${limit("at least", issue.minimum, issue.origin)}` };
    case "too_big":
      return { code: "out_of_range", detail: `must ${limit("at most", issue.maximum, issue.origin)}` };
    default:
      return { code: "invalid_value", detail: "has an invalid format" };
  }
}

/** `be at least 3600`, `be at most 64 characters`, `have at least 1 entry`. */
function limit(bound: string, count: number | bigint, origin: string): string {
  if (origin === "array") return `have ${bound} ${count} ${count === 1 ? "entry" : "entries"}`;
  if (origin === "string") return `be ${bound} ${count} ${count === 1 ? "character" : "characters"}`;
  return `be ${bound} ${count}`;
}

function article(type: string): string {
  // No input takes any other number.
  if (type === "int" || type === "number") return "a whole number";
  return type === "array" || type === "object" ? `an ${type}` : `a ${type}`;
}

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

/** No answer says whether the request was applied. Some clients obey a `Retry-After` by themselves. */
export const outcomeUnknown = (cause?: unknown): DomainError =>
  new DomainError(
    "outcome_unknown",
    "The database did not answer in time. The request may or may not have been applied. " +
      `Wait ${callerWaitMs() / 1000} seconds before you check.`,
    { cause },
  );

/** The database is down or too busy, and the request changed nothing. */
export const notApplied = (cause?: unknown): DomainError =>
  unavailable("The database is down or too busy. The request was not applied.", RETRY_AFTER_SECONDS, cause);

/** Work after a change that was made, or may have been. That it failed says nothing about the change. */
export const afterChange = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const isOpen = isDatabaseUnavailable(error) || causesOf(error).some(isTooLate);
    throw isOpen ? outcomeUnknown(error) : error;
  }
};

/** Postgres stopped a read of the console. A retry would take as long, so it says what to change. */
export function queryTimeout(cause: unknown): DomainError {
  const detail =
    causesOf(cause).find((each) => each instanceof DomainError)?.message ??
    `The query was stopped after ${consoleSeconds()} s. ` +
      "Narrow the filters, for example to one contract or a shorter period, then try again.";
  return new DomainError("query_timeout", detail, { cause });
}

/** What callers may see. An unexpected error becomes `internal_error`; its text stays in the log. */
export function toDomainError(error: unknown): DomainError {
  for (const at of causesOf(error)) {
    if (at instanceof DomainError) return at;
    if (at instanceof z.core.$ZodError && isInputError(error)) return invalidInput(at);
  }
  if (isReadOnly(error))
    return unavailable("The database is read-only. The request was not applied.", RETRY_AFTER_SECONDS, error);
  if (isStatementLost(error))
    return unavailable(
      "The database session was reset. The request was not applied.",
      RETRY_AFTER_SECONDS,
      error,
    );
  if (isDatabaseUnavailable(error)) return wasNotApplied(error) ? notApplied(error) : outcomeUnknown(error);
  const transport = error instanceof TRPCError && TRANSPORT_ERRORS[error.code];
  if (transport) return new DomainError(transport.code, transport.detail);
  return new DomainError(
    "internal_error",
    "An internal error occurred. Details are logged under the request ID.",
    { cause: error },
  );
}

/** The same for a request that is safe to repeat, such as a read, whatever became of it. */
export function toRepeatableError(error: unknown): DomainError {
  const known = toDomainError(error);
  if (known.code !== "outcome_unknown") return known;
  const detail = "The database is not responding. The request is safe to repeat.";
  return unavailable(detail, RETRY_AFTER_SECONDS, known.cause);
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

/** The error for a request that cannot be carried out as it is. */
export const invalid = (detail: string, options?: ConstructorParameters<typeof DomainError>[2]) =>
  new DomainError("validation_failed", detail, options);

/** The same for the value of one field. @param said what is wrong with it, to follow its name */
export const invalidField = (detail: string, pointer: string, said: string) =>
  invalid(detail, { errors: [{ pointer, code: "invalid_value", detail: said }] });

/** Its detail begins with the first error: many programs and language models get no more than that. */
export function invalidFields(
  errors: FieldError[],
  {
    code = "validation_failed",
    errorCount = errors.length,
  }: { code?: ProblemCode; errorCount?: number } = {},
): DomainError {
  const { pointer, reference, detail } = errors[0]!;
  const field = [pointer || "The input", reference].filter(Boolean).join(" ");
  const more = errorCount - 1;
  const rest = more > 0 ? ` (and ${more} more ${more === 1 ? "error" : "errors"})` : "";
  return new DomainError(code, `${field} ${detail}${rest}.`, { errors, errorCount });
}

export function invalidInput(error: z.core.$ZodError): DomainError {
  const errors = toFieldErrors(inRowOrder(error.issues));
  return invalidFields(errors, { errorCount: countFieldErrors(error.issues) });
}
