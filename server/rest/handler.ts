import { randomUUID } from "node:crypto";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { transportSecurity } from "@/next.config.mjs";
import { revealsToken } from "@/server/auth/tokens";
import { fieldErrorsMax } from "@/server/batches/submit/submit-schema";
import { clientAddress } from "@/server/kernel/client-address";
import type { RequestContext } from "@/server/kernel/context";
import { callerWaitMs, database, requireCurrentSchema } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { countRequest } from "@/server/kernel/metrics/process-metrics";
import { methodNotAllowed, pathNotFound } from "@/server/kernel/problem-reply";
import { lifecycle, single } from "@/server/kernel/process";
import { bodyBytesMax } from "@/server/kernel/read-body";
import { batchLimits, settings } from "@/server/kernel/settings";
import {
  invalid,
  invalidField,
  invalidFields,
  invalidInput,
  repeatable,
  toDomainError,
  toRepeatableError,
} from "@/server/kernel/to-domain-error";
import { type AnsweredRequest, noteRequest } from "@/server/requests/keep-requests";
import { restRouter } from "@/server/trpc/root";
import { DomainError, FIELD_ERRORS_MAX, type FieldError, PROBLEMS, toProblem } from "@/terms/problems";
import { Deadline } from "./deadline";
import { openApiDocument } from "./document/openapi-document";
import { foldSlashes } from "./fold-slashes";
import { readJsonObject, refuseBody } from "./json-body";
import { mayBeRepeated, type RestReply, type RestRequest, replyWith, toResponse } from "./messages";
import { withCurrentNames, withLegacyNames } from "./routes/legacy-api";
import { isSafeToRepeat, type Match, type Operation, RouteTable } from "./routes/route-table";

const REQUEST_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id";
const REPLY_HEADERS =
  "Allow, Date, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, " +
  "WWW-Authenticate, X-Request-Id";
const PREFLIGHT_SECONDS = 600;

/** Pages from the allowed origins can read a reply. Without `CORS_ORIGINS` browsers block the read. */
function addCorsHeaders(request: RestRequest, replyHeaders: Map<string, string>): void {
  const { CORS_ORIGINS } = settings();
  if (!CORS_ORIGINS) return;
  replyHeaders.set("Vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin === null || !CORS_ORIGINS.includes(origin)) return;
  replyHeaders.set("Access-Control-Allow-Origin", origin);
  replyHeaders.set("Access-Control-Expose-Headers", REPLY_HEADERS);
}

/** Many HTTP libraries repeat a redirected POST as a GET, whose reply looks like the one to a submit. */
function refuseKeyOfPost({ method, headers }: RestRequest): void {
  if (!/^(?:GET|HEAD|DELETE)$/.test(method) || headers.get("idempotency-key") === null) return;
  const what =
    method === "DELETE"
      ? "A DELETE takes no `Idempotency-Key`. Nothing was done."
      : `A redirect has probably turned your POST into a ${method}, which takes no \`Idempotency-Key\`. ` +
        "Nothing was stored. Send the POST to the final URL, usually the one with https.";
  throw invalidField(what, "/Idempotency-Key", `is not allowed in a ${method}`);
}

const REPEATED =
  "is sent more than once, or has a comma, as when a proxy joins two: send it once, without a comma";

/** The input from path, query, headers and body. @throws DomainError, also for a name in two places */
async function readInput(
  request: RestRequest,
  operation: Operation,
  pathParameters: Record<string, string>,
  search: string,
  bytesMax: number,
): Promise<Record<string, unknown>> {
  refuseKeyOfPost(request);
  const path = decodePath(pathParameters);
  const query = readQuery(search, operation);
  if (!operation.takesBody) {
    await refuseBody(request);
    return { ...query, ...path };
  }
  const { value, colons, keyColons } = await readJsonObject(request, bytesMax);
  const elsewhere = [...Object.keys(path), ...operation.queryFields, ...operation.headerFields].filter(
    (name) => Object.hasOwn(value, name),
  );
  if (elsewhere.length > 0) {
    const placeOf = (name: string) =>
      operation.queryFields.has(name) ? "in the query" : name in path ? "in the path" : "as a header";
    const said = (name: string) => `is not a field of the body: send it ${placeOf(name)}`;
    throw invalidFields(elsewhere.map((name) => unknownField(`/${name}`, said(name))));
  }
  const input: Record<string, unknown> = { ...value, ...query, ...path };
  for (const name of operation.headerFields) {
    const sent = request.headers.get(name);
    if (sent === null) continue;
    // Together they would be another key, under which the same batch is paid again.
    if (mayBeRepeated(request, name))
      throw invalidFields([{ pointer: `/${name}`, code: "invalid_value", detail: REPEATED }]);
    input[name] = sent;
  }
  const keys = countKeys(value);
  if (colons !== keys && keyColons() !== keys) refuseDuplicateKeys(operation, input);
  return input;
}

/** More colons outside strings than keys: a duplicate key. A valid batch passes the cheaper count of all. */
function refuseDuplicateKeys(operation: Operation, input: unknown): never {
  const parsed = operation.input?.safeParse(input);
  if (parsed && !parsed.success) throw invalidInput(parsed.error);
  throw new DomainError("invalid_json", "The body has a duplicate key.");
}

function countKeys(value: unknown): number {
  const open: unknown[] = [value];
  let keys = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    // No array of values, for "submit 2000 at 16, lower" in docs/benchmarks.md. No key is inherited.
    else
      for (const key in next) {
        keys++;
        const child = (next as Record<string, unknown>)[key];
        if (typeof child === "object") open.push(child);
      }
  }
  return keys;
}

function decodePath(parameters: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw invalid("The path is not valid percent-encoded UTF-8.");
  }
}

/** Refused, because ignoring it could pay, or list again from the start: `dryRun=`, `cursor=`. */
const EMPTY = "is empty: send a value, or leave the parameter out";

function readQuery(search: string, operation: Operation): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const pointer = `?${repeatable(name)}`;
    const [, field = name, key] = /^(\w+)\[(.*)\]$/s.exec(name) ?? [];
    const isKey = key !== undefined;
    if (!operation.queryFields.has(field) || (operation.types.get(field) === "pipe") !== isKey) {
      errors.push(unknownField(pointer, formOf(name, operation)));
      continue;
    }
    // Without a prototype, so that it has no names but those that were sent.
    if (isKey) values[field] ??= Object.create(null);
    const [into, place] = isKey ? [values[field] as Record<string, unknown>, key] : [values, name];
    if (Object.hasOwn(into, place))
      errors.push({ pointer, code: "invalid_value", detail: "is given more than once" });
    else if (value === "" && !isKey)
      errors.push({ pointer: `/${name}`, code: "invalid_value", detail: EMPTY });
    else into[place] = fromText(value, operation, name);
  }
  if (errors.length > 0) throw invalidFields(errors);
  return values;
}

/** The form of the parameter that an unknown name begins with, such as `status[]`. */
function formOf(name: string, { queryFields, types }: Operation): string | undefined {
  const [field = ""] = /^\w+/.exec(name) ?? [];
  if (!queryFields.has(field)) return undefined;
  const [has, form] = types.get(field) === "pipe" ? ["keys", `${field}[key]`] : ["one value", field];
  return `has ${has}: send \`${form}=value\``;
}

/** Query values are text. They are converted only for fields that are numbers or booleans. */
function fromText(value: string, operation: Operation, name: string): unknown {
  const type = operation.types.get(name);
  if (type === "number" && /^\d{1,15}(?:\.0+)?$/.test(value)) return Number(value);
  if (type === "boolean" && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}

const unknownField = (pointer: string, detail = "is not a parameter of this operation"): FieldError => ({
  pointer,
  code: "unknown_field",
  detail,
});

const TRACE_HEADERS = {
  get: (headers: RestRequest["headers"], name: string) => headers.get(name) ?? undefined,
  keys: () => ["traceparent", "tracestate"],
};

/** The work runs in a span of its caller's trace. A caller can choose none of the span's attributes. */
function traceRequest(exchange: Exchange, work: () => Promise<RestReply>): Promise<RestReply> {
  const { method, headers } = exchange.request;
  const parent = propagation.extract(context.active(), headers, TRACE_HEADERS);
  const tracer = trace.getTracer("point-transfer-batches");
  return tracer.startActiveSpan(method, { kind: SpanKind.SERVER }, parent, async (span) => {
    try {
      const reply = await work();
      span.updateName(`${method} ${exchange.route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": exchange.route,
        "http.response.status_code": reply.status,
        "ptb.request_id": exchange.requestId,
      });
      if (reply.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      return reply;
    } finally {
      span.end();
    }
  });
}

/** Not one that changes the path of `instance`. */
const SAFE_REQUEST_ID = /^(?!\.{1,2}$)[A-Za-z0-9._:/+=@-]{1,128}$/;
const OPENAPI_PATH = "/v1/openapi.json";

const routes = () => single("rest routes", () => new RouteTable(restRouter()));

/** A request in progress, with what is known about its reply so far. */
interface Exchange extends AnsweredRequest {
  request: RestRequest;
  replyHeaders: Map<string, string>;
  errorsMax: number;
}

/** `answerRest` for route handlers, which have a `Request` and need a `Response`. */
export async function handleRest(request: Request, peer?: string): Promise<Response> {
  const { url, method, headers, body, signal } = request;
  const isGone = () => signal.aborted;
  const onGone = (run: () => void) => signal.addEventListener("abort", run, { once: true });
  return toResponse(await answerRest({ url, method, headers, body, peer, isGone, onGone }));
}

/** Answers all of `/v1`, for the host and for Next. Every error is a problem document, never HTML. */
export async function answerRest(request: RestRequest): Promise<RestReply> {
  const startedAt = performance.now();
  const exchange = openExchange(request);
  const reply = await (lifecycle().stopTracing
    ? traceRequest(exchange, () => answerExchange(exchange))
    : answerExchange(exchange));
  const { requestId, route } = exchange;
  countRequest(request.method, route, reply.status, startedAt);
  const ms = Math.round(performance.now() - startedAt);
  log().debug({ requestId, method: request.method, route, status: reply.status, ms }, "answered");
  noteRequest(exchange, reply.status);
  return reply;
}

function openExchange(request: RestRequest): Exchange {
  const given = request.headers.get("x-request-id");
  const isSafe = given !== null && SAFE_REQUEST_ID.test(given);
  // IDs are stored and logged.
  const isKept = isSafe && !revealsToken(given, request.headers.get("authorization"));
  const requestId = isKept ? given : randomUUID();
  const replyHeaders = new Map([
    ["X-Request-Id", requestId],
    ["X-Content-Type-Options", "nosniff"],
  ]);
  const security = transportSecurity(settings().PUBLIC_URL);
  if (security) replyHeaders.set("Strict-Transport-Security", security);
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
    if (status >= 500 && !request.isGone())
      log().error({ error, requestId, code: known.code }, "request failed");
    replyHeaders.set("Cache-Control", "no-store");
    exchange.problem = toProblem(known, requestId, exchange.errorsMax);
    return replyWith(request, status, exchange.problem, "application/problem+json", replyHeaders);
  }
}

const NO_CONTENT = Symbol("no content");

async function answer(exchange: Exchange): Promise<unknown> {
  const { request, replyHeaders } = exchange;
  const { path, search } = splitUrl(request.url);
  const match = path === OPENAPI_PATH ? null : routes().match(path);
  if (path !== OPENAPI_PATH && !isServed(match)) throw unknownPath(path);
  exchange.route = match?.template ?? OPENAPI_PATH;
  const allowed = allowedMethods(match);
  if (request.method === "OPTIONS") {
    replyHeaders.set("Allow", allowed);
    // A browser's preflight request.
    if (replyHeaders.has("Access-Control-Allow-Origin")) {
      replyHeaders.set("Access-Control-Allow-Methods", allowed);
      replyHeaders.set("Access-Control-Allow-Headers", REQUEST_HEADERS);
      replyHeaders.set("Access-Control-Max-Age", String(PREFLIGHT_SECONDS));
    }
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

/** Keeps the time limit, and reads the input once, only when the procedure asks for it. */
async function callOperation(
  exchange: Exchange,
  operation: Operation,
  pathParameters: Record<string, string>,
  search: string,
): Promise<unknown> {
  const { request, requestId, replyHeaders } = exchange;
  const { TRUSTED_PROXY_HOPS } = settings();
  const ctx: RequestContext = {
    db: database(),
    limits: batchLimits(),
    requestId,
    authorization: request.headers.get("authorization"),
    clientAddress: clientAddress(request.headers.get("x-forwarded-for"), request.peer, TRUSTED_PROXY_HOPS),
    staff: null,
    replyHeaders,
    foundHolder: (holder) => {
      exchange.caller = { ...holder, clientAddress: ctx.clientAddress };
    },
    requireWanted: () => deadline.throwIfOver(),
    timeLeftMs: () => deadline.leftMs(),
    whenShort: (ask) => deadline.whenShort(ask),
  };
  const deadline = new Deadline(callerWaitMs());
  request.onGone(() => deadline.end());
  let sent: Record<string, unknown> | undefined;
  const read = async () => {
    sent = await readInput(request, operation, pathParameters, search, bodyBytesMax(operation.isOpen));
    exchange.errorsMax = fieldErrorsMax(sent, ctx.limits);
    return withCurrentNames(sent);
  };
  let input: Promise<Record<string, unknown>> | undefined;
  try {
    const reply = await deadline.bound(async () => {
      await requireCurrentSchema();
      return operation.call(ctx, () => (input ??= deadline.whileCallerSends(read())));
    });
    return withLegacyNames(reply, sent);
  } catch (error) {
    throw isSafeToRepeat(operation, sent) ? toRepeatableError(error) : error;
  }
}

/** Repeated slashes are folded, the query is raw. `URL` would resolve dots and so change the path. */
function splitUrl(url: string): { path: string; search: string } {
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  const [path = "/", ...rest] = (pathStart === -1 ? "/" : url.slice(pathStart)).split("?");
  return { path: foldSlashes(path), search: rest.length > 0 ? `?${rest.join("?")}` : "" };
}

const isServed = (match: Match | null) =>
  match !== null && (settings().PUBLIC_BOOKS || !match.template.startsWith("/v1/books"));

/** The slash is not ignored: behind it may have been an ID, and without one it is another operation. */
function unknownPath(path: string): DomainError {
  const shorter = path.replace(/\/$/, "");
  return pathNotFound(shorter === OPENAPI_PATH || isServed(routes().match(shorter)));
}

function allowedMethods(match: Match | null): string {
  const methods = match ? [...match.operations.keys()] : ["GET"];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
