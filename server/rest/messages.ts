import { createHash } from "node:crypto";

/** The parts of a request that the API reads. A `Request` resolves the dots in its URL. */
export interface RestRequest {
  /** Absolute, with path and query exactly as they came. */
  readonly url: string;
  readonly method: string;
  /** Repeated headers are joined with `, `. */
  readonly headers: { get(name: string): string | null };
  /** How often a header was sent; absent where they are joined before they arrive. */
  readonly timesSent?: (header: string) => number;
  /** Can be read once; null without a body. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The socket's peer address, where it is known. */
  readonly peer?: string | undefined;
  readonly isGone: () => boolean;
  /** Calls `run` when that happens. An `AbortSignal` costs more: "submit 10 at 16" in docs/benchmarks.md. */
  readonly onGone: (run: () => void) => void;
}

/** Whether a header was, or may have been, repeated: proxies and `Headers` join its values with commas. */
export function mayBeRepeated({ headers, timesSent }: RestRequest, name: string): boolean {
  const parts = headers.get(name)?.split(/, */) ?? [];
  const isJoined = timesSent === undefined || new Set(parts).size === 1;
  return (parts.length > 1 && isJoined) || (timesSent?.(name) ?? 0) > 1;
}

/** A complete reply. The stream of a `Response` costs more: "submit 10 at 16" in docs/benchmarks.md. */
export interface RestReply {
  status: number;
  /** Names are always written in the same case. Not `Headers`, which validates and copies everything. */
  headers: Map<string, string>;
  body: string | null;
}

export const toResponse = ({ status, headers, body }: RestReply): Response =>
  new Response(body, { status, headers: [...headers] });

/** A JSON reply. To GET it has an `ETag`, and is 304 if `If-None-Match` has the same (RFC 9110, 13.1.2). */
export function replyWith(
  request: RestRequest,
  status: number,
  value: unknown,
  type: string,
  headers: Map<string, string>,
): RestReply {
  const body = JSON.stringify(value);
  const reads = request.method === "GET" || request.method === "HEAD";
  if (reads && status === 200) {
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    headers.set("ETag", etag);
    if (names(request.headers.get("if-none-match"), etag)) return { status: 304, headers, body: null };
  }
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(Buffer.byteLength(body)));
  return { status, headers, body: request.method === "HEAD" ? null : body };
}

/** Weak comparison, since compressing proxies weaken ETags. */
function names(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}
