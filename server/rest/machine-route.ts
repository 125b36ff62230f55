import { randomUUID } from "node:crypto";
import { callerWaitMs } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { methodNotAllowed, pathNotFound, problemReply } from "@/server/kernel/problem-reply";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { Deadline } from "./deadline";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Handlers = Record<(typeof METHODS)[number], (request: Request) => Promise<Response>>;
/** Returns a complete reply, or an object to send as JSON. */
type Get = (request: Request) => object | Promise<object>;

const ALLOWED = "GET, HEAD, OPTIONS";

/** GET within the request timeout, for machines. Anything else gets a problem document, never HTML. */
export function machineRoute(path: string, get: Get): Handlers {
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
