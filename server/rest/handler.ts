import { randomUUID } from "node:crypto";
import { type AnyRouter, callTRPCProcedure } from "@trpc/server";
import {
  bodyBytesMax,
  clientAddress,
  foldSlashes,
  methodNotAllowed,
  pathNotFound,
  type RestRequest,
} from "@/server/kernel/http";
import { single } from "@/server/kernel/process";
import { fieldErrorsMax } from "../batches/submit/submit-errors";
import { batchLimits } from "../kernel/batch-limits";
import { database } from "../kernel/database";
import { log } from "../kernel/log";
import { countRequest } from "../kernel/metrics/count-request";
import { requireCurrentSchema } from "../kernel/schema-gate";
import { settings } from "../kernel/settings";
import { databaseTimeout, toDomainError } from "../kernel/to-domain-error";
import type { RequestContext } from "../kernel/trpc-context";
import { FIELD_ERRORS_MAX, PROBLEMS, toProblem } from "../kernel/values/problems";
import { restRouter } from "../trpc/root";
import { addCorsHeaders, addPreflightHeaders } from "./cors";
import { Deadline } from "./deadline";
import { openApiDocument } from "./document/openapi-document";
import { readInput } from "./read-input";
import { type RestReply, replyWith, toResponse } from "./reply";
import { withCurrentNames, withLegacyNames } from "./routes/legacy-api";
import { type Match, type Operation, RouteTable } from "./routes/route-table";
import { traceRequest } from "./trace-request";

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

/** A request in progress, with what is known about its reply so far. */
interface Exchange {
  request: RestRequest;
  requestId: string;
  replyHeaders: Map<string, string>;
  /** How many field errors the reply lists. */
  errorsMax: number;
  /** The path template; `unknown` for an unknown path. */
  route: string;
}

/** `answerRest` for route handlers that need a `Response`. */
export const handleRest = async (request: RestRequest): Promise<Response> =>
  toResponse(await answerRest(request));

/** Answers everything under `/v1`, for both the host and Next. Every error is a problem document, never HTML or a redirect. */
export async function answerRest(request: RestRequest): Promise<RestReply> {
  const startedAt = performance.now();
  const exchange = openExchange(request);
  const reply = await traceRequest(exchange, () => answerExchange(exchange));
  const { requestId, route } = exchange;
  countRequest(request.method, route, reply.status, startedAt);
  log().debug(
    {
      requestId,
      method: request.method,
      route,
      status: reply.status,
      ms: Math.round(performance.now() - startedAt),
    },
    "answered",
  );
  return reply;
}

function openExchange(request: RestRequest): Exchange {
  const given = request.headers.get("x-request-id");
  const requestId = given && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
  const replyHeaders = new Map([
    ["X-Request-Id", requestId],
    ["X-Content-Type-Options", "nosniff"],
  ]);
  return { request, requestId, replyHeaders, errorsMax: FIELD_ERRORS_MAX, route: "unknown" };
}

async function answerExchange(exchange: Exchange): Promise<RestReply> {
  const { request, requestId, replyHeaders } = exchange;
  try {
    addCorsHeaders(request, replyHeaders);
    const body = await answer(exchange);
    if (body === NO_CONTENT) return { status: 204, headers: replyHeaders, body: null };
    return replyWith(request, 200, body, "application/json", replyHeaders);
  } catch (error) {
    const known = toDomainError(error);
    for (const [name, value] of Object.entries(known.options.headers ?? {})) replyHeaders.set(name, value);
    const { status } = PROBLEMS[known.code];
    if (status >= 500 && !request.signal.aborted)
      log().error({ error, requestId, code: known.code }, "request failed");
    replyHeaders.set("Cache-Control", "no-store");
    const problem = toProblem(known, requestId, exchange.errorsMax);
    return replyWith(request, status, problem, "application/problem+json", replyHeaders);
  }
}

const NO_CONTENT = Symbol("no content");

async function answer(exchange: Exchange): Promise<unknown> {
  const { request, replyHeaders } = exchange;
  const { path, search } = splitUrl(request.url);
  const { routes } = served();
  const match = path === OPENAPI_PATH ? null : routes.match(path);
  if (path !== OPENAPI_PATH && (!match || isSwitchedOff(match))) throw pathNotFound();
  exchange.route = match?.template ?? OPENAPI_PATH;
  const allowed = allowedMethods(match);
  if (request.method === "OPTIONS") {
    replyHeaders.set("Allow", allowed);
    addPreflightHeaders(allowed, replyHeaders);
    return NO_CONTENT;
  }
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (!match && method === "GET") {
    replyHeaders.set("Cache-Control", "public, max-age=60");
    return openApiDocument();
  }
  const operation = match?.operations.get(method);
  if (!match || !operation) throw methodNotAllowed(allowed);
  replyHeaders.set("Cache-Control", "no-store");
  return callOperation(exchange, operation, match.parameters, search);
}

/** Runs the operation within its time limit. The input is read once, and only when the procedure asks for it. */
async function callOperation(
  exchange: Exchange,
  operation: Operation,
  pathParameters: Record<string, string>,
  search: string,
): Promise<unknown> {
  const { request, requestId, replyHeaders } = exchange;
  const { DATABASE_TIMEOUT_SECONDS, TRUSTED_PROXY_HOPS } = settings();
  const ctx: RequestContext = {
    db: database(),
    limits: batchLimits(settings()),
    requestId,
    authorization: request.headers.get("authorization"),
    clientAddress: clientAddress(request.headers.get("x-forwarded-for"), request.peer, TRUSTED_PROXY_HOPS),
    staff: null,
    replyHeaders,
  };
  const deadline = new Deadline((DATABASE_TIMEOUT_SECONDS + 1) * 1000, databaseTimeout);
  request.signal.addEventListener("abort", () => deadline.end(), { once: true });
  let sent: Record<string, unknown> | undefined;
  const read = async () => {
    sent = await readInput(request, operation, pathParameters, search, bodyBytesMax(operation.isOpen));
    exchange.errorsMax = fieldErrorsMax(sent, ctx.limits);
    return withCurrentNames(sent);
  };
  let input: Promise<Record<string, unknown>> | undefined;
  const reply = await deadline.bound(async () => {
    await requireCurrentSchema();
    return callTRPCProcedure({
      router: served().router,
      path: operation.procedure,
      ctx,
      type: operation.type,
      signal: deadline.signal,
      batchIndex: 0,
      getRawInput: () => (input ??= deadline.whileCallerSends(read())),
    });
  });
  return withLegacyNames(reply, sent);
}

/** The path, with repeated slashes folded, and the raw query. `URL` would resolve dots and so change the path. */
function splitUrl(url: string): { path: string; search: string } {
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  const [path = "/", ...rest] = (pathStart === -1 ? "/" : url.slice(pathStart)).split("?");
  return { path: foldSlashes(path), search: rest.length > 0 ? `?${rest.join("?")}` : "" };
}

const isSwitchedOff = ({ template }: Match) => template.startsWith("/v1/books") && !settings().PUBLIC_BOOKS;

function allowedMethods(match: Match | null): string {
  const methods = match ? [...match.operations.keys()] : ["GET"];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
