import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { isSameOrigin } from "../auth/same-origin";
import { staffSession } from "../auth/staff-session";
import { batchLimits } from "../batches/limits";
import { database } from "../database";
import { log } from "../log";
import { DomainError, PROBLEMS, toProblem } from "../problems";
import { pageClientAddress } from "../rest/client-address";
import { settings } from "../settings";
import type { RequestContext } from "./context";
import { appRouter } from "./root";
import { toDomainError } from "./to-domain-error";

/** The context of a call from the console: the session is read, and the staff row behind it, for every request. */
export async function consoleContext(
  requestId: string,
  replyHeaders = new Headers(),
  request?: Request,
): Promise<RequestContext> {
  const forwardedFor = request?.headers.get("x-forwarded-for") ?? null;
  return {
    db: database(),
    limits: batchLimits(settings()),
    requestId,
    authorization: null,
    clientAddress: pageClientAddress(forwardedFor, settings().TRUSTED_PROXY_HOPS),
    staff: await staffSession(),
    replyHeaders,
  };
}

/** The console's tRPC door. A change must come from a page of this host: other origins are refused. */
export async function handleConsole(request: Request): Promise<Response> {
  const requestId = randomUUID();
  if (request.method === "POST" && !isSameOrigin(request)) {
    const problem = toProblem(
      new DomainError("not_allowed", "The request did not come from this console."),
      requestId,
    );
    return Response.json(problem, { status: problem.status });
  }
  const headers = new Headers({ "X-Request-Id": requestId, "Cache-Control": "no-store" });
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => consoleContext(requestId, headers, request),
    responseMeta: () => ({ headers }),
    onError({ error, path }) {
      const { code } = toDomainError(error);
      if (PROBLEMS[code].status >= 500) log().error({ error, requestId, path }, "console request failed");
    },
  });
}
