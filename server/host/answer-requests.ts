import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddress } from "../kernel/http/client-address";
import { log } from "../kernel/log";
import { countRequest } from "../kernel/metrics/count-request";
import { settings } from "../kernel/settings";
import { pageRoute } from "../metrics/page-route";
import { answerRest } from "../rest/handler";
import { expectsContinue, sendReply, toRestRequest } from "./fetch-bridge";
import type { Answer } from "./http-server";
import type { NextApp } from "./next-app";
import { METHODS, writeProblem } from "./write-problem";

/** `/v1` is answered here, everything else by Next; with `restByNext` Next answers all. */
export function answerRequests(next: NextApp, restByNext: boolean): Answer {
  const unreadBytesMax = settings().BODY_BYTES_MAX;
  return (message, reply, path) => {
    if (!isRest(path)) countWhenAnswered(message, reply, path);
    const answered =
      isRest(path) && !restByNext
        ? answerApi(message, reply, path, unreadBytesMax)
        : answerPage(next, message, reply, path);
    answered.catch((error: unknown) => {
      log().error({ error, method: message.method }, "a request could not be answered");
      writeProblem(reply, "internal_error", "Something failed here.");
    });
  };
}

function isRest(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/") || path.startsWith("/v1?");
}

/** The handler of `/v1` counts its own, at both doors. */
function countWhenAnswered(message: IncomingMessage, reply: ServerResponse, path: string): void {
  const startedAt = performance.now();
  reply.once("close", () => {
    countRequest(message.method ?? "GET", pageRoute(path), reply.statusCode, startedAt);
  });
}

async function answerApi(
  message: IncomingMessage,
  reply: ServerResponse,
  path: string,
  unreadBytesMax: number,
): Promise<void> {
  const answer = await answerRest(toRestRequest(message, reply, path));
  await sendReply(message, reply, answer, unreadBytesMax);
}

async function answerPage(
  next: NextApp,
  message: IncomingMessage,
  reply: ServerResponse,
  path: string,
): Promise<void> {
  message.url = path;
  if (!METHODS.split(", ").includes(message.method ?? "")) {
    writeProblem(reply, "method_not_allowed", `Use ${METHODS}.`, { Allow: METHODS });
    return;
  }
  if (settings().TRUSTED_PROXY_HOPS === 0) forgetForwarded(message);
  message.headers["x-forwarded-for"] = clientAddress(
    message.headers["x-forwarded-for"]?.toString() ?? null,
    message.socket.remoteAddress,
    settings().TRUSTED_PROXY_HOPS,
  );
  if (!isDecodable(path)) {
    writeProblem(reply, "validation_failed", "The path is not percent-encoded UTF-8.");
    return;
  }
  if (expectsContinue(message)) reply.writeContinue();
  await next.handle(message, reply);
}

/** Nobody is believed about the address that people have open: links and redirects would lead where a caller says. */
function forgetForwarded(message: IncomingMessage): void {
  for (const name of ["forwarded", "x-forwarded-port"]) delete message.headers[name];
  const { PUBLIC_URL } = settings();
  message.headers["x-forwarded-host"] = message.headers.host;
  message.headers["x-forwarded-proto"] = PUBLIC_URL?.startsWith("https:") ? "https" : "http";
}

/** Next answers a path that cannot be decoded with 500. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split("?", 1)[0]!);
    return true;
  } catch {
    return false;
  }
}
