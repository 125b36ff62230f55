import { createHash } from "node:crypto";
import type { RestRequest } from "../kernel/http/rest-request";

/** A whole reply. No `Response`: making one and reading its stream costs more than most requests' own work. */
export interface RestReply {
  status: number;
  /** By name, every name written in one way. No `Headers`, which checks and copies all it is given. */
  headers: Map<string, string>;
  body: Buffer | null;
}

export const toResponse = ({ status, headers, body }: RestReply): Response =>
  new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers: [...headers] });

/** A reply as JSON; one to GET has an `ETag`, and is 304 when the caller has that already (RFC 9110, 13.1.2). */
export function replyWith(
  request: RestRequest,
  status: number,
  value: unknown,
  type: string,
  headers: Map<string, string>,
): RestReply {
  const body = Buffer.from(JSON.stringify(value));
  const reads = request.method === "GET" || request.method === "HEAD";
  if (reads && status === 200) {
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    headers.set("ETag", etag);
    if (names(request.headers.get("if-none-match"), etag)) return { status: 304, headers, body: null };
  }
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(body.byteLength));
  return { status, headers, body: request.method === "HEAD" ? null : body };
}

/** Weak comparison: what was weakened on the way, as compressing proxies do, is still the same. */
function names(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}
