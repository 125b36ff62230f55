interface HeaderObject {
  description: string;
  required?: boolean;
  schema: Record<string, unknown>;
  example?: string;
}

const text = (maxLength: number, pattern: string) => ({ type: "string", maxLength, pattern });

/** Reply headers, as components of the document. */
export const REPLY_HEADERS = {
  "X-Request-Id": {
    description:
      "ID of the request in the service's log: yours, if you sent 1 to 128 characters from `A-Z a-z 0-9 . _ : / + = @ -`.",
    required: true,
    schema: text(128, "^[A-Za-z0-9._:/+=@-]{1,128}$"),
    example: "0f9d6a2e-54b1-4a37-9d8c-6f1c3b7e2a10",
  },
  "Cache-Control": {
    description: "Replies must not be cached.",
    required: true,
    schema: { type: "string", const: "no-store" },
  },
  ETag: {
    description:
      "Version of the content. Send it as `If-None-Match` to get 304 while the content is unchanged.",
    required: true,
    schema: text(64, '^"[A-Za-z0-9_-]+"$'),
    example: '"mRkLTlsq4jqWjfIq0hxAj1xPD-s"',
  },
  "RateLimit-Policy": {
    description: "The quota: `q` requests per `w` seconds. Absent when there is no limit.",
    schema: text(64, '^"[a-z-]+";q=\\d+;w=\\d+$'),
    example: '"token";q=600;w=60',
  },
  RateLimit: {
    description:
      "Remaining quota: `r` requests until the window ends in `t` seconds. Absent when there is no limit.",
    schema: text(64, '^"[a-z-]+";r=\\d+;t=\\d+$'),
    example: '"token";r=583;t=42',
  },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", format: "int32", minimum: 1, maximum: 3600 },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: true,
    schema: text(256, "^Bearer .*$"),
    example: 'Bearer realm="point-transfer-batches"',
  },
  "Accept-Encoding": {
    description: "The supported content encoding. Sent only when the request body was compressed.",
    schema: { type: "string", const: "identity" },
  },
  "Idempotent-Replayed": {
    description: "`true` when the same batch was already submitted under this ID; absent otherwise.",
    schema: { type: "string", const: "true" },
  },
} as const satisfies Record<string, HeaderObject>;

export type ReplyHeader = keyof typeof REPLY_HEADERS;

/** References to these headers, for a response. */
export function headerReferences(names: readonly ReplyHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
