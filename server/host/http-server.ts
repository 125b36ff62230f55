import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { hasBearerSecret, methodNotAllowed } from "@/server/kernel/http";
import { overQuota, perWindow } from "@/server/kernel/limits";
import { processMetrics } from "@/server/kernel/metrics";
import { lifecycle } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";
import { DomainError } from "@/server/kernel/values/problems";
import { notReady, readiness } from "./health";
import { StartError } from "./start-error";
import { METHODS, writeProblem, writeRawProblem } from "./write-problem";

/** An office has one address and many people. */
const TIMES_WITH_SESSION = 10;
/** Files of the build, and what probes ask. */
const UNCOUNTED = /^\/(?:_next\/.*|icon\.svg|(?:livez|readyz|version)\/?)(?:\?|$)/;
/** What machines ask, with the secret that proves them. */
const MACHINES = [
  [/^\/api\/cron\//, "CRON_SECRET"],
  [/^\/metrics(?:[/?]|$)/, "METRICS_TOKEN"],
] as const;
/** With a session, these have a quota per person: `countStaffCall`. */
const CONSOLE_CALL = /^\/api\/trpc\//;

/**
 * Counts a page against its client address's quota, in this process: rendering costs this process's event loop, and anonymous
 * visitors should not cost the database anything.
 * @param hasSession whether the request has a session cookie that this service encrypted
 * @returns seconds until the next one is served; null if this one is
 */
export function overPageQuota(
  { headers }: IncomingMessage,
  path: string,
  address: string,
  hasSession: boolean,
): number | null {
  const perMinute = settings().PAGE_RATE_LIMIT_PER_MINUTE;
  if (perMinute === 0 || UNCOUNTED.test(path) || isMachine(path, headers.authorization)) return null;
  if (hasSession && CONSOLE_CALL.test(path)) return null;
  const max = perWindow(perMinute) * (hasSession ? TIMES_WITH_SESSION : 1);
  const waitSeconds = overQuota(hasSession ? "pages with a session" : "anonymous pages", max, address);
  if (waitSeconds !== null) processMetrics()?.rateLimited.inc({ policy: "page" });
  return waitSeconds;
}

const isMachine = (path: string, authorization: string | undefined) =>
  MACHINES.some(
    ([own, secret]) => own.test(path) && hasBearerSecret(authorization ?? null, settings()[secret]),
  );

const RELOAD_SECONDS = 2;

/** Answers until the service is ready: alive, not ready, and 503 with this message for everything else (HTML for browsers). */
export function answerWhileStarting(reason: string): Answer {
  return (message, reply, path) => {
    const [target] = path.split("?", 1);
    if (target === "/livez") writeJson(reply, 200, { alive: true });
    // Without DATABASE_URL there is no database to query yet.
    else if (target === "/readyz" && process.env.DATABASE_URL) void answerReadiness(message, reply, reason);
    else if (isNavigation(message)) writePage(reply, reason);
    else writeProblem(reply, new DomainError("unavailable", reason));
  };
}

async function answerReadiness(
  message: IncomingMessage,
  reply: ServerResponse,
  reason: string,
): Promise<void> {
  const state = { ...(await readiness()), ready: false };
  writeProblem(reply, notReady(state, message.headers.authorization ?? null, reason));
}

function writeJson(reply: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  reply
    .writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(text)),
      "Cache-Control": "no-store",
      Connection: "close",
    })
    .end(text);
}

const isNavigation = ({ method, headers }: IncomingMessage) =>
  method === "GET" && (headers.accept ?? "").split(",").some((type) => type.trim().startsWith("text/html"));

/** A browser that opens the console too early reloads by itself. */
function writePage(reply: ServerResponse, reason: string): void {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}"><title>Starting</title>
<style>:root{color-scheme:light dark}body{font:14px/20px system-ui,sans-serif;margin:20vh auto 0;max-width:480px;padding:0 16px;text-align:center}</style>
<main><h1 style="font-size:20px">One moment</h1><p>${reason} This page reloads automatically.</p></main></html>`;
  reply
    .writeHead(503, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(text)),
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
      "Retry-After": String(RELOAD_SECONDS),
      Connection: "close",
    })
    .end(text);
}

const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_MAX = 30_000;
/** Longer than the 60 s idle timeout of load balancers, so that they close the connection, not us. */
const KEEP_ALIVE_MS = 65_000;
const SILENCE_MS_MAX = 60_000;
const LIMITS_CHECKED_EVERY_MS = 2000;
/** Node's parser rejects unknown methods the same way as input that is not HTTP. This regex distinguishes them. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** @param path the request target in origin form, unchanged */
export type Answer = (message: IncomingMessage, reply: ServerResponse, path: string) => void;

/** A listening server. Until `answerWith` is called, it answers that the service is starting. */
export interface HttpServer {
  port: number;
  answerWith(answer: Answer): void;
  /** Passes on upgrade requests under `prefix` and refuses others. If never called, upgrade headers are ignored. */
  onUpgrade(prefix: string, upgrade: (message: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  /** Stops accepting connections. Resolves when all requests are answered; cuts them off after `drainMs`. */
  close(drainMs: number): Promise<void>;
}

/** @throws StartError when it cannot listen on the port */
export async function listen(options: { host: string; port: number }): Promise<HttpServer> {
  let answer: Answer = (_message, reply) =>
    writeProblem(reply, new DomainError("unavailable", "The service is starting."));
  const receive = (message: IncomingMessage, reply: ServerResponse) => {
    // Socket resets surface here. Handlers that wait for the caller listen to `close` on the reply.
    reply.on("error", () => undefined);
    if (lifecycle().draining) reply.shouldKeepAlive = false;
    const path = originForm(message);
    if (path === null)
      writeProblem(reply, invalidRequest("The request needs a path and exactly one Host header."));
    else answer(message, reply, path);
  };
  const upgraded = new Set<Duplex>();
  const server = createServer({
    headersTimeout: HEADERS_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LIMITS_CHECKED_EVERY_MS,
    requireHostHeader: false,
    noDelay: true,
  });
  server.timeout = SILENCE_MS_MAX;
  server.on("request", receive);
  // `100 Continue` is sent when the body is read, so a request refused by its headers is never uploaded.
  server.on("checkContinue", receive);
  server.on("checkExpectation", receive);
  server.on("clientError", refuseUnreadable);
  await bind(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    answerWith(next) {
      answer = next;
    },
    onUpgrade(prefix, upgrade) {
      server.on("upgrade", (message, socket, head) => {
        upgraded.add(socket);
        socket.once("close", () => upgraded.delete(socket));
        if (message.url?.startsWith(prefix)) upgrade(message, socket, head);
        else writeRawProblem(socket, invalidRequest("Protocol upgrades are not supported here."));
      });
    },
    close(drainMs) {
      // Upgraded sockets are not requests, so draining would wait for them forever.
      for (const socket of upgraded) socket.destroy();
      return drain(server, drainMs);
    },
  };
}

/**
 * The unchanged path and query, also from a target in absolute form. Null without a path or a Host header, or with two Host
 * headers, of which a proxy in front may have read the other.
 */
function originForm(message: IncomingMessage): string | null {
  const target = message.url ?? "";
  const hosts = message.headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && message.httpVersion !== "1.0")) return null;
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/[^/?#]+/i.exec(target);
  if (!absolute) return null;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function refuseUnreadable(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (error.code === "ECONNRESET" || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(error.rawPacket?.toString("latin1") ?? "")) {
    writeRawProblem(socket, methodNotAllowed(METHODS));
    return;
  }
  const detail =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "The request did not arrive in time."
      : error.code === "HPE_HEADER_OVERFLOW"
        ? "The request headers are larger than 16 KiB."
        : "The request is not valid HTTP.";
  writeRawProblem(socket, invalidRequest(detail));
}

const invalidRequest = (detail: string) => new DomainError("validation_failed", detail);

function bind(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is already in use. Set PORT to another port.`
          : `Cannot listen on port ${port} of ${host} (${error.code}). Check HOST and PORT.`;
      reject(new StartError(reason, { cause: error }));
    });
    server.listen(port, host, () => resolve());
  });
}

function drain(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
