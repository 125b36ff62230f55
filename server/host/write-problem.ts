import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { DomainError, PROBLEMS, type ProblemCode, toProblem } from "../kernel/values/problems";

/** Every method that some path accepts. */
export const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

function compose(
  code: ProblemCode,
  detail: string,
  extra: Record<string, unknown> = {},
): { text: string; headers: Record<string, string> } {
  const requestId = randomUUID();
  const text = JSON.stringify(toProblem(new DomainError(code, detail, { extra }), requestId));
  const headers: Record<string, string> = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  };
  if (code === "unavailable") headers["Retry-After"] = "1";
  return { text, headers };
}

/** Answers with a problem when no handler does. If a reply has already started, it cuts the connection instead. */
export function writeProblem(
  reply: ServerResponse,
  code: ProblemCode,
  detail: string,
  more: Record<string, string> = {},
  extra: Record<string, unknown> = {},
): void {
  if (reply.headersSent) {
    reply.destroy();
    return;
  }
  const { text, headers } = compose(code, detail, extra);
  reply.writeHead(PROBLEMS[code].status, { ...headers, ...more, Connection: "close" }).end(text);
}

/** Answers input that is not valid HTTP, and closes the connection. */
export function writeRawProblem(
  socket: Duplex,
  code: ProblemCode,
  detail: string,
  more: Record<string, string> = {},
): void {
  const { text, headers } = compose(code, detail);
  const head = Object.entries({ ...headers, ...more, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${PROBLEMS[code].status} Error\r\n${head.join("\r\n")}\r\n\r\n${text}`);
}
