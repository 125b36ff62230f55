import { Agent, request as httpRequest } from "node:http";
import { Readable } from "node:stream";
import { NO_LIMITS } from "./launch-app";
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
    ...NO_LIMITS,
  });
}

/** As a server passes it on, unlike `Request`: the path is not normalized, and a GET may have a body. */
export function toRestRequest({ method, path, headers, body }: SentRequest): Request {
  const given = new Headers();
  for (const [name, value] of headers) given.append(name, value);
  if (body.length === 1) given.set("Content-Length", String(body[0]!.byteLength));
  const stream = body.length > 0 ? Readable.toWeb(Readable.from(body)) : null;
  const { signal } = new AbortController();
  const request = { url: `http://service.test${path}`, method, headers: given, body: stream, signal };
  return request as unknown as Request;
}

/** Calls `/v1` in this process as the holder of a token, with a body of JSON. */
export async function callApi(
  token: string,
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
) {
  // Imported late, because it reads settings.
  const { handleRest } = await import("@/server/rest/handler");
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...more };
  const bytes = body === undefined ? [] : [new TextEncoder().encode(JSON.stringify(body))];
  const sent = toRestRequest({ method, path, headers: Object.entries(headers), body: bytes });
  const reply = await handleRest(sent, "198.51.100.77");
  return { status: reply.status, headers: reply.headers, body: JSON.parse(await reply.text()) };
}

export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends a request as is: the path is not normalized, a GET may have a body, headers may repeat. */
export function sendRaw(baseUrl: string, sent: SentRequest): Promise<RawReply> {
  const { host, hostname, port } = new URL(baseUrl);
  const length =
    sent.body.length === 1 ? [["Content-Length", String(sent.body[0]!.byteLength)] as const] : [];
  const chunked = sent.body.length > 1 ? [["Transfer-Encoding", "chunked"] as const] : [];
  const headers = [["Host", host] as const, ...sent.headers, ...length, ...chunked].flat();
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { agent, hostname, port, path: sent.path, method: sent.method, headers },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8");
        reply.on("data", (chunk: string) => {
          text += chunk;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
        reply.on("error", reject);
      },
    );
    request.on("error", reject);
    for (const chunk of sent.body) request.write(chunk);
    request.end();
  });
}

const SINGLES = Symbol.for("point-transfer-batches.singles");

/** Settings, pools and whatever else exists once per process are made anew on their next use. */
export function forgetSingles(): void {
  delete (globalThis as { [SINGLES]?: unknown })[SINGLES];
}
