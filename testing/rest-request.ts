import { Readable } from "node:stream";
import type { TestDatabase } from "./test-database";

export interface SentRequest {
  method: string;
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Several chunks are sent without Content-Length. */
  body: readonly Uint8Array[];
}

/** Points this process's settings at a test's database. Call it before anything reads them. */
export function serveFrom(db: Pick<TestDatabase, "url">): void {
  Object.assign(process.env, {
    DATABASE_URL: db.url,
    AUTH_SECRET: "auth-secret-of-this-test",
    CRON_SECRET: "cron-secret-of-this-test",
    LOG_LEVEL: "silent",
    WEBHOOK_ALLOW_PRIVATE: "on",
    RATE_LIMIT_PER_MINUTE: "0",
    TOKEN_FAILURES_PER_MINUTE: "0",
    SIGN_IN_RATE_LIMIT_PER_MINUTE: "0",
    CONSOLE_RATE_LIMIT_PER_MINUTE: "0",
    SIGN_IN_FAILURES_PER_MINUTE: "0",
  });
}

/** A request as a server passes it on: the path is not normalized, and a GET may have a body, unlike with `Request`. */
export function toRestRequest({ method, path, headers, body }: SentRequest): Request {
  const given = new Headers();
  for (const [name, value] of headers) given.append(name, value);
  if (body.length === 1) given.set("Content-Length", String(body[0]!.byteLength));
  const stream = body.length > 0 ? Readable.toWeb(Readable.from(body)) : null;
  const { signal } = new AbortController();
  const request = { url: `http://service.test${path}`, method, headers: given, body: stream, signal };
  return request as unknown as Request;
}
