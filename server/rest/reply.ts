import { createHash } from "node:crypto";
import type { RestRequest } from "@/server/kernel/http";

/** A complete reply. Not a `Response`, whose stream costs more than most requests: "submit 10 at 16" in docs/benchmarks.md. */
export interface RestReply {
  status: number;
  /** Names are always written in the same case. Not `Headers`, which validates and copies everything. */
  headers: Map<string, string>;
  body: Buffer | null;
}

export const toResponse = ({ status, headers, body }: RestReply): Response =>
  new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers: [...headers] });

/** A JSON reply. Replies to GET have an `ETag` and are 304 when it matches `If-None-Match` (RFC 9110, 13.1.2). */
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

/** Weak comparison, since compressing proxies weaken ETags. */
function names(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}
