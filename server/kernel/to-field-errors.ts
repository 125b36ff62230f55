import type { z } from "zod";
import { FIELD_CODES, FIELD_ERRORS_MAX, type FieldCode, type FieldError } from "./values/problems";

type Issue = z.core.$ZodIssue;

/** Number of field errors in zod's issues. */
export function countFieldErrors(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

/**
 * The entries of `errors` for zod's issues, in our own words, with JSON pointers and codes of a closed list. Only the
 * first hundred unknown fields of an object are listed, since a caller can send any number.
 */
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

function toPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => `/${String(key).slice(0, 64).replaceAll("~", "~0").replaceAll("/", "~1")}`)
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
  if (type === "int") return "a whole number";
  return type === "array" || type === "object" ? `an ${type}` : `a ${type}`;
}
