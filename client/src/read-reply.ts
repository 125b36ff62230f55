import { ApiProblem, isProblem } from "./api-problem.ts";
import { UnexpectedReply } from "./unexpected-reply.ts";

/** How much of a strange reply its error shows. */
const SHOWN_LENGTH_MAX = 200;

/** A reply whose body has been read to its end. */
export interface WholeReply {
  status: number;
  headers: Headers;
  text: string;
}

/** A success: 200 with the service's JSON, or 304 without any. */
export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown> | null;
}

export interface Expected {
  /** A member that the body of a success must have. */
  member: string;
  /** Whether 304 is an answer to what was asked. */
  maybeUnchanged: boolean;
}

/**
 * The success that a whole reply is.
 * @param hide takes secrets out of words that another machine wrote
 * @throws ApiProblem, UnexpectedReply
 */
export function readReply(reply: WholeReply, expected: Expected, hide: (text: string) => string): Reply {
  const { status, headers, text } = reply;
  const retryAfterSeconds = readRetryAfter(headers.get("retry-after"));
  if (status === 304 && expected.maybeUnchanged) return { status, headers, body: null };
  const body = parse(text, status >= 400 ? hide : null);
  if (status >= 400 && isProblem(body)) throw new ApiProblem(body, retryAfterSeconds);
  if (status >= 200 && status < 300 && isSuccess(body, expected)) return { status, headers, body };
  const type = headers.get("content-type") ?? "no media type";
  const isTorn = status >= 200 && status < 300 && body === undefined && type.includes("json");
  const words =
    status === 0 || (status >= 300 && status < 400)
      ? "neither a reply nor a problem, as of a redirect: check baseUrl"
      : `not a reply of the service (${type})`;
  // A page of a proxy says what is wrong with it; a success that cannot be read may hold a token.
  const page = status >= 400 ? `: ${text.trim().slice(0, SHOWN_LENGTH_MAX) || "empty"}` : "";
  throw new UnexpectedReply(status, hide(`HTTP ${status}, ${words}${page}`), { retryAfterSeconds, isTorn });
}

function parse(text: string, hide: ((text: string) => string) | null): unknown {
  try {
    return JSON.parse(
      text,
      hide ? (_, value) => (typeof value === "string" ? hide(value) : value) : undefined,
    );
  } catch {
    return undefined;
  }
}

function isSuccess(body: unknown, { member }: Expected): body is Record<string, unknown> {
  if (typeof body !== "object" || body === null) return false;
  return (body as { success?: unknown }).success === true && Object.hasOwn(body, member);
}

/** Seconds of a `Retry-After`, which is a number of seconds or a date; null when it is neither. */
export function readRetryAfter(value: string | null, now = Date.now()): number | null {
  if (value === null) return null;
  if (/^\s*[0-9]{1,9}\s*$/.test(value)) return Number(value);
  // Only the form that HTTP has: `Date.parse` takes "-1" for a month.
  const at = /GMT\s*$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
