import { ClientError } from "./client-error.ts";
import type { FieldError, Problem, ProblemCode } from "./shapes.ts";

/** Members of every problem; members of single codes are in `extra`. */
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

/** `signer`, `storedDigest` and `sentDigest`, `batchStatus` and `since`, `available` and `asked`. */
export type ProblemExtra = Omit<Problem, (typeof COMMON)[number]>;

/** The service refused the request, with a problem from its closed list. */
export class ApiProblem extends ClientError {
  override name = "ApiProblem";
  /** What went wrong, for programs. A newer service may have codes that this version does not list. */
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Identifies the request in the service's log. */
  readonly requestId: string;
  /** One entry per error, up to a hundred; empty if the problem is not about fields. */
  readonly errors: readonly FieldError[];
  /** The total number of errors, of which `errors` has the first. */
  readonly errorCount: number;
  /** Members that only this code has. */
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

/** Whether JSON is one of the service's problems, and not a proxy's. */
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
