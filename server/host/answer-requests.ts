import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { SECURITY_HEADERS } from "@/next.config.mjs";
import { sessionIdOf } from "@/server/auth/session-cookies";
import { hasBearerSecret } from "@/server/kernel/bearer-secret";
import { clientAddress } from "@/server/kernel/client-address";
import { log } from "@/server/kernel/log";
import { countRequest, processMetrics } from "@/server/kernel/metrics/process-metrics";
import { bodyTooLarge, methodNotAllowed, pathNotFound } from "@/server/kernel/problem-reply";
import { consoleQuota, overQuota } from "@/server/kernel/quota";
import { bodyBytesMax } from "@/server/kernel/read-body";
import { rateLimited } from "@/server/kernel/retry-after";
import { settings } from "@/server/kernel/settings";
import { invalid } from "@/server/kernel/to-domain-error";
import { pageRoute } from "@/server/metrics/page-route";
import { foldSlashes } from "@/server/rest/fold-slashes";
import { answerRest } from "@/server/rest/handler";
import { DomainError } from "@/terms/problems";
import type { Answer } from "./http-server";
import { answerMachine } from "./machine-paths";
import { answerDocs, docsPath, type NextApp } from "./next-app";
import { expectsContinue, METHODS, sendReply, toRestRequest, writeProblem } from "./replies";

/** Files of the build, and what probes ask. */
const UNCOUNTED = /^\/(?:_next\/.*|icon\.svg|(?:livez|readyz|version)\/?)(?:\?|$)/;
/** What machines ask, with the secret that proves them. */
const MACHINES = [
  [/^\/api\/cron\//, "CRON_SECRET"],
  [/^\/metrics(?:[/?]|$)/, "METRICS_TOKEN"],
] as const;
/** With a session, these have a quota per person: `countCall`. */
const CONSOLE_CALL = /^\/api\/trpc\//;

/** Seconds until the next page is served, by this process, whose event loop renders; null if this one is. */
function overPageQuota(
  { headers }: IncomingMessage,
  path: string,
  address: string,
  hasSession: boolean,
): number | null {
  const max = consoleQuota(hasSession);
  if (max === null || UNCOUNTED.test(path) || isMachine(path, headers.authorization)) return null;
  if (hasSession && CONSOLE_CALL.test(path)) return null;
  const waitSeconds = overQuota(hasSession ? "pages with a session" : "anonymous pages", max, address);
  if (waitSeconds !== null) processMetrics()?.rateLimited.inc({ policy: "page" });
  return waitSeconds;
}

const isMachine = (path: string, authorization: string | undefined) =>
  MACHINES.some(
    ([own, secret]) => own.test(path) && hasBearerSecret(authorization ?? null, settings()[secret]),
  );

/** Answers `/v1` here, in half the time of a Next route ("Next door" in docs/benchmarks.md). */
export function answerRequests(next: NextApp, sendPacked: SendPacked | null, restByNext: boolean): Answer {
  const answerApi = async (message: IncomingMessage, reply: ServerResponse, path: string) => {
    const answer = await answerRest(toRestRequest(message, reply, path));
    await sendReply(message, reply, answer, settings().BODY_BYTES_MAX);
  };
  return (message, reply, target) => {
    const path = foldSlashes(target);
    const startedAt = performance.now();
    // `/v1` counts its own requests, here and in Next.
    if (!isRest(path))
      reply.once("close", () =>
        countRequest(message.method ?? "GET", pageRoute(path), reply.statusCode, startedAt),
      );
    const answered =
      isRest(path) && !restByNext
        ? answerApi(message, reply, path)
        : answerPage({ next, sendPacked }, message, reply, path);
    answered.catch((error: unknown) => {
      log().error({ error, method: message.method }, "a request could not be answered");
      writeProblem(reply, new DomainError("internal_error", "An internal error occurred."));
    });
  };
}

const isRest = (path: string): boolean => /^\/v1(?:[/?]|$)/.test(path);

const isFile = (path: string) => path.startsWith("/_next/static/");

async function answerPage(
  { next, sendPacked }: { next: NextApp; sendPacked: SendPacked | null },
  message: IncomingMessage,
  reply: ServerResponse,
  path: string,
): Promise<void> {
  message.url = path;
  if (settings().TRUSTED_PROXY_HOPS === 0) forgetForwarded(message);
  const address = clientAddress(
    message.headers["x-forwarded-for"]?.toString() ?? null,
    message.socket.remoteAddress,
    settings().TRUSTED_PROXY_HOPS,
  );
  message.headers["x-forwarded-for"] = address;
  // Node keeps only the first of each, but two must be refused.
  for (const name of ["authorization", "content-type"] as const) {
    const sent = message.headersDistinct[name];
    if (sent) message.headers[name] = sent.join(", ");
  }
  const hasSession = !isFile(path) && (await sessionIdOf(message.headers.cookie)) !== null;
  const refusal = refusalOf(message, path, address, hasSession);
  if (refusal) {
    const isOfPage = message.headers.accept?.includes("text/html") && !path.startsWith("/api/");
    writeProblem(reply, refusal, refusal.code === "rate_limited" && isOfPage);
    return;
  }
  if (await answerMachine(message, reply, path)) return;
  if (expectsContinue(message)) reply.writeContinue();
  if (sendPacked?.(message, reply, path)) return;
  // In development, pages change with their sources.
  const docs = process.env.NODE_ENV === "development" ? undefined : docsPath(message, path);
  if (docs) await answerDocs(next, message, reply, docs);
  else await next.handle(message, reply);
}

/** Why Next does not get a request: it would answer 500, or it is too much. */
function refusalOf(
  message: IncomingMessage,
  path: string,
  address: string,
  hasSession: boolean,
): DomainError | null {
  const methods = isFile(path) ? "GET, HEAD" : METHODS;
  if (!methods.split(", ").includes(message.method ?? "")) return methodNotAllowed(methods);
  const waitSeconds = overPageQuota(message, path, address, hasSession);
  if (waitSeconds !== null)
    return rateLimited("Too many pages were requested from your address.", waitSeconds);
  const bytesMax = bodyBytesMax(!hasSession);
  // `/v1` in Next refuses it itself, with the headers of every reply there.
  if (!isRest(path) && Number(message.headers["content-length"] ?? 0) > bytesMax)
    return bodyTooLarge(bytesMax);
  // There are none, and Next would write the header to the log.
  if (message.headers["next-action"] !== undefined) return invalid("This service has no server actions.");
  // By Next's own rules.
  if (fails(() => parseAndValidateFlightRouterState(message.headers["next-router-state-tree"])))
    return invalid("The header Next-Router-State-Tree is invalid. Leave it out.");
  const isUnreadable = fails(() => decodeURIComponent(path.split("?", 1)[0]!));
  return isUnreadable ? invalid("The path is not valid percent-encoded UTF-8.") : null;
}

/** Drops the forwarded host headers. Otherwise a caller could choose where links and redirects point. */
function forgetForwarded(message: IncomingMessage): void {
  for (const name of ["forwarded", "x-forwarded-port"]) delete message.headers[name];
  const { PUBLIC_URL } = settings();
  message.headers["x-forwarded-host"] = message.headers.host;
  message.headers["x-forwarded-proto"] = PUBLIC_URL?.startsWith("https:") ? "https" : "http";
}

function fails(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

const TYPES: Record<string, string> = {
  css: "text/css; charset=UTF-8",
  js: "application/javascript; charset=UTF-8",
};
const PACKED = /\.(css|js)\.br$/;
const BROTLI = /(?:^|[,\s])br\s*(?:,|$)/;

/** Answers GET and HEAD. @returns whether it answered; if not, Next does */
type SendPacked = (message: IncomingMessage, reply: ServerResponse, path: string) => boolean;

/**
 * As the build compressed them (server/launch/build-app.mjs): Next would compress each again for every
 * visitor, into an eighth more bytes. Anything else below `/_next` is 404: Next would render a page for it.
 */
export function readPackedFiles(dir: string): SendPacked {
  const folder = join(dir, ".next/static");
  const built = new Set<string>();
  const files = new Map<string, { type: string; body: Buffer }>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!statSync(join(folder, file)).isFile()) continue;
    const path = `/_next/static/${file.replaceAll("\\", "/")}`;
    built.add(path);
    const ending = PACKED.exec(file)?.[1];
    if (ending)
      files.set(path.slice(0, -".br".length), {
        type: TYPES[ending]!,
        body: readFileSync(join(folder, file)),
      });
  }
  return (message, reply, path) => {
    const pathname = decodeURIComponent(path.split("?", 1)[0]!);
    if (/^\/_next(?:\/|$)/.test(pathname) && !built.has(pathname)) {
      writeProblem(reply, pathNotFound());
      return true;
    }
    const file = files.get(pathname);
    if (!file || !BROTLI.test(message.headers["accept-encoding"]?.toString() ?? "")) return false;
    reply.writeHead(200, {
      ...SECURITY_HEADERS,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Encoding": "br",
      "Content-Length": file.body.byteLength,
      "Content-Type": file.type,
      Vary: "Accept-Encoding",
    });
    reply.end(message.method === "HEAD" ? undefined : file.body);
    return true;
  };
}
