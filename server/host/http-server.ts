import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from "node:net";
import type { Duplex } from "node:stream";
import { methodNotAllowed } from "@/server/kernel/problem-reply";
import { lifecycle } from "@/server/kernel/process";
import { invalid } from "@/server/kernel/to-domain-error";
import { StartError } from "./lifecycle";
import { METHODS, writeProblem, writeRawProblem } from "./replies";

const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_MAX = 30_000;
/** Longer than the 60 s idle timeout of load balancers, so that they close the connection, not us. */
const KEEP_ALIVE_MS = 65_000;
const SILENCE_MS_MAX = 60_000;
const LIMITS_CHECKED_EVERY_MS = 2000;
/** Distinguishes an unknown method from input that is not HTTP: Node's parser rejects both the same way. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** @param path the request target in origin form, unchanged */
export type Answer = (message: IncomingMessage, reply: ServerResponse, path: string) => void;

export type HttpServer = Awaited<ReturnType<typeof listen>>;

interface Address {
  host: string;
  /** 0 for any free one. */
  port: number;
}

/** The port to listen on later. @throws StartError when another program uses it */
export async function findPort(address: Address): Promise<number> {
  const server = createSocketServer();
  const port = await bind(server, address);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @throws StartError when it cannot listen on the port */
export async function listen(address: Address, answer: Answer) {
  const receive = (message: IncomingMessage, reply: ServerResponse) => {
    // Socket resets surface here. Handlers that wait for the caller listen to `close` on the reply.
    reply.on("error", () => undefined);
    if (lifecycle().draining) reply.shouldKeepAlive = false;
    const path = originForm(message);
    if (path === null) writeProblem(reply, invalid("The request needs a path and exactly one Host header."));
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
  return {
    port: await bind(server, address),
    /** Passes on upgrades under `prefix` and refuses others. Without it, upgrade headers are ignored. */
    onUpgrade(prefix: string, upgrade: (message: IncomingMessage, socket: Duplex, head: Buffer) => void) {
      server.on("upgrade", (message, socket, head) => {
        upgraded.add(socket);
        socket.once("close", () => upgraded.delete(socket));
        if (message.url?.startsWith(prefix)) upgrade(message, socket, head);
        else writeRawProblem(socket, invalid("Protocol upgrades are not supported here."));
      });
    },
    /** Accepts no more connections. Resolves when all requests are answered, or cut off after `drainMs`. */
    close(drainMs: number) {
      // Upgraded sockets are not requests, so draining would wait for them forever.
      for (const socket of upgraded) socket.destroy();
      return drain(server, drainMs);
    },
  };
}

/** Null without a path or a Host header, or with two, of which a proxy may have read the other. */
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

/** Why a request cannot be read, by Node's code. Anything else is not HTTP. */
const UNREADABLE: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
  HPE_HEADER_OVERFLOW: "The request headers are larger than 16 KiB.",
};

function refuseUnreadable(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  const { _httpMessage: current, bytesRead } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Browsers open spare sockets. A 400 would be the answer to the request that a browser sends over it next.
  const isUnused = error.code === "ERR_HTTP_REQUEST_TIMEOUT" && bytesRead === 0;
  if (error.code === "ECONNRESET" || isUnused || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(error.rawPacket?.toString("latin1") ?? "")) {
    writeRawProblem(socket, methodNotAllowed(METHODS));
    return;
  }
  writeRawProblem(socket, invalid(UNREADABLE[error.code ?? ""] ?? "The request is not valid HTTP."));
}

function bind(server: SocketServer, { host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is already in use. Set PORT to another port.`
          : `Cannot listen on port ${port} of ${host} (${error.code}). Check HOST and PORT.`;
      reject(new StartError(reason, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

const drain = (server: Server, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
