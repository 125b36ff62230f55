import { randomUUID } from "node:crypto";
import { type AnyRouter, callTRPCProcedure } from "@trpc/server";
import { batchLimits } from "../batches/limits";
import { database } from "../database";
import { log } from "../log";
import { DomainError, PROBLEMS, toProblem } from "../problems";
import { settings } from "../settings";
import { single } from "../single";
import type { RequestContext } from "../trpc/context";
import { restRouter } from "../trpc/root";
import { databaseTookTooLong, toDomainError } from "../trpc/to-domain-error";
import { Deadline } from "./deadline";
import { openApiDocument } from "./openapi-document";
import { readInput } from "./read-input";
import type { RestRequest } from "./rest-request";
import { RouteTable } from "./route-table";

const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
const OPENAPI_PATH = "/v1/openapi.json";

interface Served {
  router: AnyRouter;
  routes: RouteTable;
}

function served(): Served {
  return single("rest", () => {
    const router = restRouter();
    return { router, routes: new RouteTable(router) };
  });
}

/** Answers everything below `/v1`, at both doors: never HTML, never a redirect, every error a problem. */
export async function handleRest(request: RestRequest): Promise<Response> {
  const given = request.headers.get("x-request-id");
  const requestId = given && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
  const replyHeaders = new Headers({ "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" });
  try {
    const body = await answer(request, requestId, replyHeaders);
    return reply(request, 200, body, "application/json", replyHeaders);
  } catch (error) {
    const known = toDomainError(error);
    for (const [name, value] of Object.entries(known.options.headers ?? {})) replyHeaders.set(name, value);
    const { status } = PROBLEMS[known.code];
    if (status >= 500) log().error({ error, requestId, code: known.code }, "request failed");
    replyHeaders.set("Cache-Control", "no-store");
    return reply(request, status, toProblem(known, requestId), "application/problem+json", replyHeaders);
  }
}

async function answer(request: RestRequest, requestId: string, replyHeaders: Headers): Promise<unknown> {
  const { path, search } = splitUrl(request.url);
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (path === OPENAPI_PATH) {
    if (method !== "GET") throw methodNotAllowed(["GET"]);
    replyHeaders.set("Cache-Control", "public, max-age=60");
    return openApiDocument();
  }
  const { router, routes } = served();
  const match = routes.match(path);
  if (!match) throw new DomainError("not_found", "There is no such path.");
  const operation = match.operations.get(method);
  if (!operation) throw methodNotAllowed([...match.operations.keys()]);
  replyHeaders.set("Cache-Control", "no-store");
  const ctx: RequestContext = {
    db: database(),
    limits: batchLimits(settings()),
    requestId,
    authorization: request.headers.get("authorization"),
    staff: null,
    replyHeaders,
  };
  const { BODY_BYTES_MAX, DATABASE_TIMEOUT_SECONDS } = settings();
  const deadline = new Deadline((DATABASE_TIMEOUT_SECONDS + 1) * 1000, databaseTookTooLong);
  let input: Promise<Record<string, unknown>> | undefined;
  return deadline.bound(() =>
    callTRPCProcedure({
      router,
      path: operation.procedure,
      ctx,
      type: operation.type,
      signal: request.signal,
      batchIndex: 0,
      getRawInput: () =>
        (input ??= deadline.whileCallerSends(
          readInput(request, operation, match.parameters, search, BODY_BYTES_MAX),
        )),
    }),
  );
}

/** Path and query as they came: `URL` would resolve dots and so change which path was meant. */
function splitUrl(url: string): { path: string; search: string } {
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  const [path = "/", ...rest] = (pathStart === -1 ? "/" : url.slice(pathStart)).split("?");
  return { path, search: rest.length > 0 ? `?${rest.join("?")}` : "" };
}

function methodNotAllowed(methods: string[]): DomainError {
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return new DomainError("method_not_allowed", `Use ${allowed.join(", ")}.`, {
    headers: { Allow: allowed.join(", ") },
  });
}

function reply(
  request: RestRequest,
  status: number,
  body: unknown,
  type: string,
  headers: Headers,
): Response {
  const text = JSON.stringify(body);
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(Buffer.byteLength(text)));
  return new Response(request.method === "HEAD" ? null : text, { status, headers });
}
