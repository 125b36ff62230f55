import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { clientAddress } from "../kernel/http/client-address";
import { foldSlashes } from "../kernel/http/fold-slashes";
import { log } from "../kernel/log";
import { countRequest } from "../kernel/metrics/count-request";
import { settings } from "../kernel/settings";
import { pageRoute } from "../metrics/page-route";
import { answerRest } from "../rest/handler";
import { DocsPages } from "./docs-pages";
import { expectsContinue, sendReply, toRestRequest } from "./fetch-bridge";
import type { Answer } from "./http-server";
import type { NextApp } from "./next-app";
import type { SendPacked } from "./packed-files";
import { overPageQuota } from "./page-quota";
import { METHODS, writeProblem } from "./write-problem";

/** Answers `/v1` here and passes everything else to Next. With `restByNext`, Next answers `/v1` too. */
export function answerRequests(next: NextApp, sendPacked: SendPacked | null, restByNext: boolean): Answer {
  const unreadBytesMax = settings().BODY_BYTES_MAX;
  // In development, pages change with their sources.
  const docs = process.env.NODE_ENV === "development" ? null : new DocsPages(next);
  return (message, reply, target) => {
    const path = foldSlashes(target);
    if (!isRest(path)) countWhenAnswered(message, reply, path);
    const answered =
      isRest(path) && !restByNext
        ? answerApi(message, reply, path, unreadBytesMax)
        : answerPage({ next, docs, sendPacked }, message, reply, path);
    answered.catch((error: unknown) => {
      log().error({ error, method: message.method }, "a request could not be answered");
      writeProblem(
        reply,
        "internal_error",
        "Something went wrong on our side. Retry later, and report the requestId if it happens again.",
      );
    });
  };
}

function isRest(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/") || path.startsWith("/v1?");
}

/** `/v1` counts its own requests, here and in Next. */
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
  { next, docs, sendPacked }: { next: NextApp; docs: DocsPages | null; sendPacked: SendPacked | null },
  message: IncomingMessage,
  reply: ServerResponse,
  path: string,
): Promise<void> {
  message.url = path;
  // Next would answer 500 to other methods on a file.
  const methods = path.startsWith("/_next/static/") ? "GET, HEAD" : METHODS;
  if (!methods.split(", ").includes(message.method ?? "")) {
    writeProblem(reply, "method_not_allowed", `Use ${methods}.`, { Allow: methods });
    return;
  }
  const bytesMax = settings().BODY_BYTES_MAX;
  // `/v1` in Next refuses it itself, with the headers of every reply there.
  if (!isRest(path) && Number(message.headers["content-length"] ?? 0) > bytesMax) {
    writeProblem(reply, "body_too_large", `The body is larger than ${bytesMax} bytes.`);
    return;
  }
  if (!isReadableRouterState(message)) {
    writeProblem(reply, "validation_failed", "The header Next-Router-State-Tree is invalid. Leave it out.");
    return;
  }
  if (settings().TRUSTED_PROXY_HOPS === 0) forgetForwarded(message);
  const address = clientAddress(
    message.headers["x-forwarded-for"]?.toString() ?? null,
    message.socket.remoteAddress,
    settings().TRUSTED_PROXY_HOPS,
  );
  message.headers["x-forwarded-for"] = address;
  const waitSeconds = overPageQuota(message, path, address);
  if (waitSeconds !== null) {
    const wait = `${waitSeconds} ${waitSeconds === 1 ? "second" : "seconds"}`;
    writeProblem(
      reply,
      "rate_limited",
      `Too many pages were requested from your address. Retry in ${wait}.`,
      {
        "Retry-After": String(waitSeconds),
      },
    );
    return;
  }
  if (!isDecodable(path)) {
    writeProblem(reply, "validation_failed", "The path is not valid percent-encoded UTF-8.");
    return;
  }
  if (expectsContinue(message)) reply.writeContinue();
  if (sendPacked?.(message, reply, path)) return;
  if (docs && DocsPages.has(message.method, path)) await docs.answer(message, reply, path);
  else await next.handle(message, reply);
}

/** Drops the forwarded host headers. Otherwise a caller could choose where links and redirects point. */
function forgetForwarded(message: IncomingMessage): void {
  for (const name of ["forwarded", "x-forwarded-port"]) delete message.headers[name];
  const { PUBLIC_URL } = settings();
  message.headers["x-forwarded-host"] = message.headers.host;
  message.headers["x-forwarded-proto"] = PUBLIC_URL?.startsWith("https:") ? "https" : "http";
}

/** Next would answer 500. Checked by its own rules. */
function isReadableRouterState({ headers }: IncomingMessage): boolean {
  try {
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
    return true;
  } catch {
    return false;
  }
}

/** Next would answer 500 to a path that cannot be decoded. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split("?", 1)[0]!);
    return true;
  } catch {
    return false;
  }
}
