import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { SECURITY_HEADERS } from "@/next.config.mjs";
import type { RestReply, RestRequest } from "@/server/rest/messages";
import { DomainError, PROBLEMS, toProblem } from "@/terms/problems";

// A caller that is still sending must get the reply: many send the whole body before they read, and closing
// the connection would be a broken pipe to them.
const LINGER_IDLE_MS = 1000;
const LINGER_MS = 10_000;
/** Twice the largest BODY_BYTES_MAX. */
const LINGER_BYTES_MAX = 33_554_432;

/** Every method that some path accepts. */
export const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** Without scripts and files of its own: a page that asked for more would be refused again. */
const pageOf = (error: DomainError) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${PROBLEMS[error.code].title} · Point transfer batches</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 24em; padding: 0 1em }
</style>
<main>
  <h1>${PROBLEMS[error.code].title}</h1>
  <p>${error.message}</p>
  <p><a href="">Try again</a></p>
</main>
`;
const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

function compose(error: DomainError, asPage = false): { text: string; headers: Record<string, string> } {
  const requestId = randomUUID();
  const text = asPage ? pageOf(error) : JSON.stringify(toProblem(error, requestId));
  const headers = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    ...(error.code === "unavailable" && { "Retry-After": "1" }),
    ...error.options.headers,
    ...(asPage && PAGE_HEADERS),
    Connection: "close",
  };
  return { text, headers };
}

/**
 * Answers for a handler that cannot. If a reply has already started, it cuts the connection instead.
 * @param asPage for a person, if the error's words contain nothing of the request
 */
export function writeProblem(reply: ServerResponse, error: DomainError, asPage = false): void {
  if (reply.headersSent) {
    reply.destroy();
    return;
  }
  const { text, headers } = compose(error, asPage);
  reply.writeHead(PROBLEMS[error.code].status, headers);
  void endAfterBody(reply, text);
}

/** Ends a reply, whose head says that the connection closes, once the caller has stopped sending. */
export async function endAfterBody(reply: ServerResponse, body: string | null): Promise<void> {
  if (body !== null) reply.write(body);
  reply.flushHeaders();
  if (hasBody(reply.req) && !reply.req.complete) await discard(reply.req);
  reply.end();
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && Number(length) > 0);
}

function discard(message: IncomingMessage): Promise<void> {
  const endsAt = performance.now() + LINGER_MS;
  let bytes = 0;
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(idle);
      message.pause();
      resolve();
    };
    const idle = setTimeout(stop, LINGER_IDLE_MS);
    message.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > LINGER_BYTES_MAX || performance.now() > endsAt) stop();
      else idle.refresh();
    });
    for (const event of ["end", "close", "error"]) message.once(event, stop);
  });
}

/** Answers input that is not valid HTTP, and closes the connection. */
export function writeRawProblem(socket: Duplex, error: DomainError): void {
  const { text, headers } = compose(error);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${PROBLEMS[error.code].status} Error\r\n${head.join("\r\n")}\r\n\r\n${text}`);
}

/** Reads the body only on demand. Sends `100 Continue` at that point, if the caller waits for it. */
export function toRestRequest(message: IncomingMessage, reply: ServerResponse, path: string): RestRequest {
  return {
    url: `http://host${path}`,
    method: message.method ?? "GET",
    // Node's `headers` keeps only the first Authorization header, but two must be refused.
    headers: { get: (name) => message.headersDistinct[name.toLowerCase()]?.join(", ") ?? null },
    timesSent: (header) => message.headersDistinct[header.toLowerCase()]?.length ?? 0,
    body: hasBody(message) ? bodyOf(message, reply) : null,
    peer: message.socket.remoteAddress,
    isGone: () => reply.destroyed && !reply.writableFinished,
    onGone: (run) => {
      reply.once("close", () => {
        if (!reply.writableFinished) run();
      });
    },
  };
}

async function* bodyOf(message: IncomingMessage, reply: ServerResponse): AsyncGenerator<Uint8Array> {
  if (expectsContinue(message)) reply.writeContinue();
  // The stream's own iterator costs more than a small body: "submit 10 at 16" in docs/benchmarks.md.
  for (;;) {
    const chunk = message.read() as Buffer | null;
    if (chunk !== null) yield chunk;
    else if (message.complete) return;
    else if (message.destroyed || !(await arrivesMore(message)))
      throw new DomainError("invalid_json", "The request body is incomplete. Send it again.");
  }
}

/** Waits for more of the body or its end. @returns false when the connection is lost */
function arrivesMore(message: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const more = () => leave(true);
    const lost = () => leave(false);
    const leave = (isMore: boolean) => {
      message.off("readable", more).off("end", more).off("close", lost).off("error", lost);
      resolve(isMore);
    };
    message.on("readable", more).on("end", more).on("close", lost).on("error", lost);
  });
}

export const expectsContinue = (message: IncomingMessage): boolean =>
  message.headers.expect?.toLowerCase() === "100-continue";

/** Reads an unread body of at most `unreadBytesMax`; otherwise closes the connection after the reply. */
export async function sendReply(
  message: IncomingMessage,
  reply: ServerResponse,
  { status, headers, body }: RestReply,
  unreadBytesMax: number,
): Promise<void> {
  if (reply.destroyed) return;
  const mustClose = leavesMoreThan(message, unreadBytesMax);
  if (mustClose) headers.set("Connection", "close");
  reply.writeHead(status, [...headers].flat());
  if (!mustClose) {
    reply.end(body);
    return;
  }
  await endAfterBody(reply, body);
}

function leavesMoreThan(message: IncomingMessage, bytesMax: number): boolean {
  if (message.complete || !hasBody(message)) return false;
  const length = message.headers["content-length"];
  return length === undefined || Number(length) > bytesMax || expectsContinue(message);
}
