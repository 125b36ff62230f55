import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type DomainError, PROBLEMS, toProblem } from "../kernel/values/problems";

/** Every method that some path accepts. */
export const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

function compose(error: DomainError): { text: string; headers: Record<string, string> } {
  const requestId = randomUUID();
  const text = JSON.stringify(toProblem(error, requestId));
  const headers = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    ...(error.code === "unavailable" && { "Retry-After": "1" }),
    ...error.options.headers,
    Connection: "close",
  };
  return { text, headers };
}

/** Answers with a problem when no handler does. If a reply has already started, it cuts the connection instead. */
export function writeProblem(reply: ServerResponse, error: DomainError): void {
  if (reply.headersSent) {
    reply.destroy();
    return;
  }
  const { text, headers } = compose(error);
  reply.writeHead(PROBLEMS[error.code].status, headers).end(text);
}

/** Answers input that is not valid HTTP, and closes the connection. */
export function writeRawProblem(socket: Duplex, error: DomainError): void {
  const { text, headers } = compose(error);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${PROBLEMS[error.code].status} Error\r\n${head.join("\r\n")}\r\n\r\n${text}`);
}
