import {
  ApiProblem,
  ClientError,
  ConnectionFailure,
  isProblem,
  toConnectionFailure,
  UnexpectedReply,
} from "./client-error.ts";
import { sleep, unlessAborted } from "./retry-policy.ts";

interface Exchange {
  fetch: typeof fetch;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  hide: (text: string) => string;
}

/**
 * Sends one request and reads its whole reply, both within the timeout.
 * @throws ConnectionFailure, or the signal's own reason when the caller aborts
 */
export async function exchange(sent: Exchange): Promise<WholeReply> {
  const { signal, timeoutMs, hide } = sent;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timedOut = sleep(timeoutMs, controller.signal).then(() => {
    throw new ConnectionFailure("timeout", `No complete reply within ${timeoutMs} ms.`);
  });
  try {
    // The race also covers a `fetch` that ignores its signal.
    return await unlessAborted(Promise.race([sendAndRead(sent, controller.signal), timedOut]), signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof ClientError ? error : toConnectionFailure(error, hide);
  } finally {
    controller.abort();
  }
}

type WholeReply = Awaited<ReturnType<typeof sendAndRead>>;

async function sendAndRead({ fetch, url, method, headers, body }: Exchange, signal: AbortSignal) {
  // Not followed, because a redirect could turn a PUT into a GET, or send the token to another host.
  const reply = await fetch(url, { method, headers, body, signal, redirect: "manual" });
  return { status: reply.status, headers: reply.headers, text: await readText(reply) };
}

/** Several times the largest reply of the service: a batch with all its transfers, or a page of batches. */
const REPLY_BYTES_MAX = 32 * 1024 * 1024;

/** @throws UnexpectedReply when another host answers without end */
export async function readText(reply: Response): Promise<string> {
  // Some runtimes have no streams.
  if (!reply.body) return reply.text();
  const reader = reply.body.getReader();
  const decoder = new TextDecoder();
  let [text, byteCount] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    byteCount += value.byteLength;
    if (byteCount > REPLY_BYTES_MAX) {
      reader.cancel().catch(() => undefined);
      throw new UnexpectedReply(reply.status, "The reply is larger than 32 MiB; check baseUrl");
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** How much of an unexpected reply its error shows. */
const SHOWN_LENGTH_MAX = 200;

/** A success: 200 with the service's JSON, or 304 without a body. */
export interface Reply {
  headers: Headers;
  body: Record<string, unknown> | null;
}

interface Expected {
  /** A member that a successful body must have. */
  member: string;
  /** Whether 304 is a valid answer to the request. */
  maybeUnchanged: boolean;
}

/**
 * The success in a complete reply.
 * @param hide removes secrets from text that another machine wrote
 * @throws ApiProblem, UnexpectedReply
 */
export function readReply(reply: WholeReply, expected: Expected, hide: (text: string) => string): Reply {
  const { status, headers, text } = reply;
  const retryAfterSeconds = readRetryAfter(headers.get("retry-after"));
  if (status === 304 && expected.maybeUnchanged) return { headers, body: null };
  const body = parse(text, status >= 400 ? hide : null);
  if (status >= 400 && isProblem(body)) throw new ApiProblem(body, retryAfterSeconds);
  if (status >= 200 && status < 300 && isSuccess(body, expected)) return { headers, body };
  const type = headers.get("content-type") ?? "no media type";
  const isTorn = status >= 200 && status < 300 && body === undefined && type.includes("json");
  const problem =
    status === 0 || (status >= 300 && status < 400)
      ? "neither a reply nor a problem, perhaps a redirect; check baseUrl"
      : `not a reply from the service (${type})`;
  // A proxy's page says what is wrong; an unreadable success may contain a token.
  const page = status >= 400 ? `: ${text.trim().slice(0, SHOWN_LENGTH_MAX) || "empty"}` : "";
  throw new UnexpectedReply(status, hide(`HTTP ${status}, ${problem}${page}`), { retryAfterSeconds, isTorn });
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

/** The seconds of a `Retry-After`, given as seconds or a date; null if it is neither. */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\s*[0-9]{1,9}\s*$/.test(value)) return Number(value);
  // Only HTTP's date format, because `Date.parse` accepts "-1" as a month.
  const at = /GMT\s*$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
