import { ClientError } from "./client-error.ts";
import type { FieldError, Problem, ProblemCode } from "./shapes.ts";

/** Members that any problem may have; what only some codes say is in `extra`. */
const COMMON = [
  "success",
  "type",
  "title",
  "status",
  "detail",
  "code",
  "requestId",
  "errors",
  "errorCount",
] as const satisfies readonly (keyof Problem)[];

/** `storedDigest` and `sentDigest`, `batchStatus` and `since`, `available` and `asked`. */
export type ProblemExtra = Omit<Problem, (typeof COMMON)[number]>;

/** The service refused: a problem of its closed list. */
export class ApiProblem extends ClientError {
  override name = "ApiProblem";
  /** What went wrong, for programs. A newer service may say a code that this version does not list. */
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** One entry a fault, the first hundred; empty when the problem is not about fields. */
  readonly errors: readonly FieldError[];
  /** How many faults there are, of which `errors` shows the first. */
  readonly errorCount: number;
  /** What only this code says. */
  readonly extra: Readonly<ProblemExtra>;
  /** From `Retry-After`; null without one. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null) {
    super(`${problem.code}: ${problem.detail} (request ${problem.requestId})`);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.errorCount = problem.errorCount ?? this.errors.length;
    const common: readonly string[] = COMMON;
    this.extra = Object.fromEntries(Object.entries(problem).filter(([name]) => !common.includes(name)));
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether JSON is a problem of the service, and not that of a proxy before it. */
export function isProblem(body: unknown): body is Problem {
  if (typeof body !== "object" || body === null) return false;
  const { success, code, status, detail, requestId } = body as Record<string, unknown>;
  return (
    success === false &&
    typeof code === "string" &&
    typeof status === "number" &&
    typeof detail === "string" &&
    typeof requestId === "string"
  );
}
