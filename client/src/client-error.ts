import type { FieldError, Problem, ProblemCode } from "./shapes.ts";

/**
 * The base of this package's errors, with what is known about the request. Only an abort rejects with the
 * signal's own reason instead.
 */
export abstract class ClientError extends Error {
  /** How many times the request was sent. */
  attempts = 0;
  /**
   * Whether the request may have taken effect although no reply confirms it. Repeat the call with the same
   * batch id, or read the batch. Always false for reads.
   */
  outcomeUnknown = false;
  /** The id of the submitted or cancelled batch, even if the client generated it. */
  batchId: string | null = null;
}

/** The arguments cannot be sent; nothing was sent. */
export class InvalidArgument extends ClientError {
  override name = "InvalidArgument";
}

/** The caller's token function failed; its error is the `cause`. */
export class TokenUnavailable extends ClientError {
  override name = "TokenUnavailable";
}

/** The caller's signer failed, for example because the wallet's user rejected. `cause` has its error. */
export class SigningFailed extends ClientError {
  override name = "SigningFailed";
}

/** `signer`, `storedDigest` and `sentDigest`, `batchStatus` and `since`, `available` and `asked`. */
export type ProblemExtra = ReturnType<typeof extraOf>;

/** The members of single codes. All problems have the others. */
function extraOf(problem: Problem) {
  const { success, type, title, status, detail, code, instance, requestId, ...others } = problem;
  const { errors, errorCount, ...extra } = others;
  return extra;
}

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
    this.extra = extraOf(problem);
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

/** Node's codes for connections never made. Browsers have none: every failure there counts as sent. */
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** No complete reply arrived, because the network failed or the time ran out. */
export class ConnectionFailure extends ClientError {
  override name = "ConnectionFailure";

  constructor(
    readonly reason: "network" | "timeout",
    detail: string,
    /** Whether the request may have reached the service. */
    readonly maybeSent = true,
  ) {
    super(detail);
  }
}

/**
 * Turns an error of `fetch` into a failure. It keeps the message but not the error itself, because a custom
 * `fetch` may have attached the request, and with it the token.
 */
export function toConnectionFailure(error: unknown, hide: (text: string) => string): ConnectionFailure {
  const messages: string[] = [];
  let maybeSent = true;
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && NOT_SENT.has(code)) maybeSent = false;
    const text = [typeof code === "string" && !at.message.includes(code) ? code : "", at.message]
      .filter(Boolean)
      .join(" ");
    if (text) messages.push(text);
  }
  const reason = messages.length > 0 ? messages.join(": ") : String(error);
  return new ConnectionFailure("network", hide(`No reply: ${reason}`), maybeSent);
}

/** A reply that is not from the service: a proxy's HTML page, a redirect, or unknown JSON. */
export class UnexpectedReply extends ClientError {
  override name = "UnexpectedReply";
  readonly retryAfterSeconds: number | null;
  /** A 2xx with truncated JSON; another attempt may return all of it. */
  readonly isTorn: boolean;

  constructor(
    /** 0 if a browser hides a redirect. */
    readonly status: number,
    detail: string,
    options: { retryAfterSeconds?: number | null; isTorn?: boolean } = {},
  ) {
    super(detail);
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.isTorn = options.isTorn ?? false;
  }
}
