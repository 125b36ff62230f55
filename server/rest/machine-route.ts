import { randomUUID } from "node:crypto";
import { log } from "../kernel/log";
import { settings } from "../kernel/settings";
import { databaseTimeout, toDomainError } from "../kernel/to-domain-error";
import { DomainError, PROBLEMS, toProblem } from "../kernel/values/problems";
import { Deadline } from "./deadline";

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type Handler = (request: Request) => Promise<Response>;
/** Returns a complete reply, or an object to send as JSON. */
type Get = (request: Request) => object | Promise<object>;

const ALLOWED = "GET, HEAD, OPTIONS";

/**
 * A path for machines, such as `/readyz`. GET is answered within the request timeout. Any other method or subpath gets a
 * problem document and never an HTML page.
 */
export function machineRoute(path: string, get: Get): Record<Method, Handler> {
  const handle = async (request: Request): Promise<Response> => {
    const requestId = randomUUID();
    const headers = new Headers({ "Cache-Control": "no-store", "X-Request-Id": requestId });
    try {
      if (new URL(request.url).pathname.replace(/\/$/, "") !== path)
        throw new DomainError("not_found", "This path does not exist.");
      if (request.method === "OPTIONS") {
        headers.set("Allow", ALLOWED);
        return new Response(null, { status: 204, headers });
      }
      if (request.method !== "GET" && request.method !== "HEAD")
        throw new DomainError("method_not_allowed", `Allowed methods: ${ALLOWED}.`, {
          headers: { Allow: ALLOWED },
        });
      const deadline = new Deadline((settings().DATABASE_TIMEOUT_SECONDS + 1) * 1000, databaseTimeout);
      const answer = await deadline.bound(async () => get(request));
      if (!(answer instanceof Response)) return Response.json(answer, { headers });
      for (const [name, value] of headers) answer.headers.set(name, value);
      return answer;
    } catch (error) {
      const known = toDomainError(error);
      const { status } = PROBLEMS[known.code];
      if (known.code === "internal_error") log().error({ error, requestId }, "request failed");
      for (const [name, value] of Object.entries(known.options.headers ?? {})) headers.set(name, value);
      headers.set("Content-Type", "application/problem+json");
      return new Response(JSON.stringify(toProblem(known, requestId)), { status, headers });
    }
  };
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PUT: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  };
}
