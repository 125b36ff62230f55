import type { IncomingMessage, ServerResponse } from "node:http";
import type { RestRequest } from "@/server/kernel/http";
import { DomainError } from "../kernel/values/problems";
import type { RestReply } from "../rest/reply";
import { endAfterBody, hasBody } from "./write-problem";

/** Reads the body only on demand. Sends `100 Continue` at that point, if the caller waits for it. */
export function toRestRequest(message: IncomingMessage, reply: ServerResponse, path: string): RestRequest {
  const controller = new AbortController();
  reply.once("close", () => {
    if (!reply.writableFinished) controller.abort();
  });
  return {
    url: `http://host${path}`,
    method: message.method ?? "GET",
    // Node's `headers` keeps only the first Authorization header, but a caller that sends two must be refused.
    headers: { get: (name) => message.headersDistinct[name.toLowerCase()]?.join(", ") ?? null },
    body: hasBody(message) ? bodyOf(message, reply) : null,
    peer: message.socket.remoteAddress,
    signal: controller.signal,
  };
}

async function* bodyOf(message: IncomingMessage, reply: ServerResponse): AsyncGenerator<Uint8Array> {
  if (expectsContinue(message)) reply.writeContinue();
  try {
    // Destroying the stream would cut the connection before the reply is sent.
    yield* message.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new DomainError("invalid_json", "The request body is incomplete. Send it again.", { cause });
  }
}

export function expectsContinue(message: IncomingMessage): boolean {
  return message.headers.expect?.toLowerCase() === "100-continue";
}

/**
 * Sends a reply. Reads the rest of an unread body if it is at most `unreadBytesMax`. Otherwise closes the connection
 * after the reply.
 */
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
