import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "@/next.config.mjs";
import { version } from "@/package.json";
import { callerWaitMs } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { methodNotAllowed, pathNotFound, problemReply } from "@/server/kernel/problem-reply";
import { settings } from "@/server/kernel/settings";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { Deadline } from "@/server/rest/deadline";
import { answerReadyz } from "./health";
import { sendReply } from "./replies";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Handlers = Record<(typeof METHODS)[number], (request: Request) => Promise<Response>>;
/** Returns a complete reply, or an object to send as JSON. */
type Get = (request: Request) => object | Promise<object>;

const ALLOWED = "GET, HEAD, OPTIONS";

/** What load balancers and Prometheus ask. Without the Node host, Next's routes use the same handlers. */
export const MACHINE_PATHS = {
  "/livez": machineRoute("/livez", () => ({ alive: true })),
  "/readyz": machineRoute("/readyz", answerReadyz),
  "/version": machineRoute("/version", () => ({ version })),
  "/metrics": machineRoute("/metrics", answerMetrics),
};

/** GET within the request timeout, for machines. Anything else gets a problem document, never HTML. */
function machineRoute(path: string, get: Get): Handlers {
  const handle: Handlers["GET"] = async (request) => {
    const requestId = randomUUID();
    try {
      const reply = await answer(request, path, get);
      reply.headers.set("Cache-Control", "no-store");
      reply.headers.set("X-Request-Id", requestId);
      return reply;
    } catch (error) {
      const known = toRepeatableError(error);
      if (known.code === "internal_error") log().error({ error, requestId }, "request failed");
      return problemReply(known, requestId);
    }
  };
  return Object.fromEntries(METHODS.map((method) => [method, handle])) as Handlers;
}

async function answer(request: Request, path: string, get: Get): Promise<Response> {
  if (new URL(request.url).pathname.replace(/\/$/, "") !== path) throw pathNotFound();
  if (!ALLOWED.split(", ").includes(request.method)) throw methodNotAllowed(ALLOWED);
  const deadline = new Deadline(callerWaitMs());
  const found = await deadline.bound(async () => get(request));
  // HAProxy's check asks by OPTIONS unless it names a method, so this fails where GET does.
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: ALLOWED } });
  return found instanceof Response ? found : Response.json(found);
}

const MACHINE_PATH = /^(\/(?:livez|readyz|version|metrics))(?:[/?]|$)/;

/**
 * Answers such a path, if it is one. Next would also turn on Node's async hooks, for the life of the
 * process. On Node 20 they cost every later request of `/v1` a twelfth of its CPU: "submit 10 at 16" in
 * docs/benchmarks.md.
 * @returns false for other paths
 */
export async function answerMachine(
  message: IncomingMessage,
  reply: ServerResponse,
  path: string,
): Promise<boolean> {
  const [, root] = MACHINE_PATH.exec(path) ?? [];
  if (!root) return false;
  const handlers = MACHINE_PATHS[root as keyof typeof MACHINE_PATHS];
  const method = message.method as keyof Handlers;
  const { authorization } = message.headers;
  const request = new Request(`http://host${path}`, {
    method,
    headers: authorization ? { authorization } : {},
  });
  const { status, headers, body } = await handlers[method](request);
  const text = body === null || method === "HEAD" ? null : await new Response(body).text();
  const sent = new Map([...Object.entries(SECURITY_HEADERS), ...headers]);
  await sendReply(message, reply, { status, headers: sent, body: text }, settings().BODY_BYTES_MAX);
  return true;
}
