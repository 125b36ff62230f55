import { generateOpenApiDocument } from "trpc-to-openapi";
import { single } from "@/server/kernel/process";
import { batchLimits, publicOrigin, settings } from "@/server/kernel/settings";
import { type Operation, RouteTable } from "@/server/rest/routes/route-table";
import { restRouter } from "@/server/trpc/root";
import type { BatchLimits } from "@/terms/batch-limits";
import { type ApiProblemCode, PROBLEMS } from "@/terms/problems";
import { GROUPS } from "./groups";
import { OPERATION_EXAMPLES } from "./operation-examples";
import { fieldErrorSchema, problemExamples, problemSchema, problemsOf } from "./problem-schema";

/** The name of each status among the components, its description, and a header that only it has. */
const STATUSES: Record<number, [name: string, description: string, header?: ReplyHeader]> = {
  304: ["NotModified", "Not modified: the content still matches `If-None-Match`."],
  400: ["BadRequest", "The request is invalid."],
  401: [
    "Unauthorized",
    "Authentication failed: the access token or the signature is missing, invalid, expired or revoked.",
    "WWW-Authenticate",
  ],
  403: ["Forbidden", "The access token or the signature does not permit this request."],
  404: ["NotFound", "The resource was not found."],
  409: [
    "Conflict",
    "The request conflicts with the state of the batch. Only the codes listed here return 409.",
  ],
  413: ["ContentTooLarge", "The request body is too large."],
  415: ["UnsupportedMediaType", "The request body is not JSON, or it is compressed.", "Accept-Encoding"],
  422: [
    "UnprocessableContent",
    "The request is valid, but the ledger does not allow it. `code` has the reason.",
  ],
  429: [
    "TooManyRequests",
    "Rate limit exceeded. Wait the number of seconds in `Retry-After`, then retry.",
    "Retry-After",
  ],
  500: ["InternalServerError", "An internal error occurred."],
  503: [
    "ServiceUnavailable",
    "The service or its database is unavailable. The request was not applied, or is safe to repeat: " +
      "wait the number of seconds in `Retry-After`, then retry.",
    "Retry-After",
  ],
  504: [
    "OutcomeUnknown",
    "The request may or may not have been applied, and is not safe to repeat: check first.",
  ],
};

/** Replaces the most common reply of each status by a reference. Returns the components, by name. */
function shareReplies(operations: OperationObject[]): Record<string, Reply> {
  const shared: Record<string, Reply> = {};
  for (const [status, [name]] of Object.entries(STATUSES)) {
    const holders = new Map<string, OperationObject["responses"][]>();
    for (const { responses } of operations) {
      const reply = JSON.stringify(responses[status]);
      if (reply) holders.set(reply, [...(holders.get(reply) ?? []), responses]);
    }
    const [most] = [...holders.values()].sort((one, other) => other.length - one.length);
    if (!most || most.length < 2) continue;
    shared[name] = most[0]![status]!;
    for (const responses of most) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

const DESCRIPTION = [
  "A contract distributes points by submitting batches of transfers. A batch stays pending until it is due " +
    "and can be cancelled until then.",
  "It is then finalized, and every recipient is credited exactly once.",
  "",
  "- **Authenticate** with `Authorization: Bearer <token>`: an access token that the service's staff " +
    "created for the contract, or the token of an operator who signed in.",
  "- **Amounts** are decimal strings, never JSON numbers. **Addresses** may be in any letter case, but a " +
    "mixed-case address must match its EIP-55 checksum.",
  "- **Errors** are `application/problem+json` with a `code` from a closed list. A batch is stored " +
    "completely or not at all, and the error for a rejected batch lists its invalid rows.",
  "- **Retry safely** by submitting with PUT under your own batch ID, or with POST and an " +
    "`Idempotency-Key`. The same content returns the original reply, with `Idempotent-Replayed: true`.",
  "- **Redirects** turn a POST into a GET in most HTTP libraries. Use the final URL, with https: a GET or " +
    "DELETE with an `Idempotency-Key` is refused.",
  "- **Unknown** body fields, unknown or empty query parameters, and a slash at the end of a path are " +
    "errors and are never ignored. HEAD works wherever GET does, and every path supports OPTIONS.",
].join("\n");

type Document = ReturnType<typeof generateOpenApiDocument>;

/** The OpenAPI 3.1 document of `/v1` with the configured limits. */
export const openApiDocument = (): Document =>
  single("openapi", () => {
    const router = restRouter();
    const document = generateOpenApiDocument(router, {
      title: "Point transfer batches",
      description: DESCRIPTION,
      version: "1.0.0",
      openApiVersion: "3.1.0",
      baseUrl: "/",
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description:
            "An access token that the service's staff created for the contract: " +
            "`ptb_` followed by 36 characters, with scopes.",
        },
        operatorToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A token that the contract's operator received for a signature: `pto_` followed by 36 " +
            "characters, valid for one hour, with the scopes `batches:read` and `batches:write`.",
        },
      },
    });
    return completeDocument(document, new RouteTable(router));
  });

function completeDocument(document: Document, routes: RouteTable): Document {
  // Not an `identifier`, which OpenAPI 3.0 lacks and TypeSpec refuses. swagger-parser wants one of them.
  document.info.license = { name: "MIT", url: "https://opensource.org/license/mit" };
  // Tools that get a relative URL lose the port, or ask for a host. `x-internal: false` marks it as public.
  const description = "The service that serves this document, in production or locally.";
  document.servers = [{ url: publicOrigin(), description, "x-internal": false }];
  document.tags = GROUPS;
  const operations: OperationObject[] = [];
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const places = routes.match(path)!.operations.get(method.toUpperCase())!;
      completeOperation(method, operation as OperationObject, places);
      operations.push(operation as OperationObject);
    }
  }
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(
    ([name]) => !name.startsWith("error."),
  );
  document.components = {
    ...document.components,
    schemas: { ...Object.fromEntries(schemas), Problem: problemSchema, FieldError: fieldErrorSchema },
    responses: shareReplies(operations),
    examples: problemExamples(),
    headers: REPLY_HEADERS,
  } as Document["components"];
  return withPlainNulls(document) as Document;
}

/**
 * Null becomes a second type, not an alternative: OpenAPI 3.0 has no null alone, and converters keep it.
 * An optional field, which only requests have, is not null here: leaving it out says the same.
 */
function withPlainNulls(node: unknown, isOptional = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withPlainNulls(item));
  if (typeof node !== "object" || node === null) return node;
  const { required = [] } = node as Schema;
  const whole = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      name === "properties" ? eachField(value, required) : withPlainNulls(value),
    ]),
  );
  const { anyOf = [], ...rest } = whole as Schema;
  const [only, none] = anyOf;
  if (!only || none?.type !== "null" || anyOf.length > 2) return whole;
  if (isOptional) return { ...only, ...rest };
  const values = only.enum && { enum: [...only.enum, null] };
  return { ...only, ...values, ...rest, type: [only.type, "null"] };
}

const eachField = (fields: Record<string, Schema>, required: string[]) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withPlainNulls(field, !required.includes(name))]),
  );

export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean;
}

export interface Described {
  $ref?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: string;
}

export interface Parameter extends Described {
  name: string;
  in: string;
  schema: Schema;
  style?: "deepObject";
}

export interface Media {
  schema: Schema;
  examples: Record<string, { $ref?: string; summary?: string; value?: unknown }>;
}

/** Of an operation, or a reference to one of the components. */
export interface Reply extends Described {
  headers?: Record<string, Described>;
  content?: Record<string, Media>;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Reply>;
  "x-minimumPoints"?: BatchLimits["minimumPoints"];
}

export interface OpenApi {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    securitySchemes: Record<string, { description: string }>;
    headers: Record<string, Described>;
  };
}

const text = (maxLength: number, pattern: string) => ({ type: "string", maxLength, pattern });

const REPLY_HEADERS = {
  "X-Request-Id": {
    description:
      "ID of the request in the service's log: yours, if you sent 1 to 128 characters from " +
      "`A-Z a-z 0-9 . _ : / + = @ -`.",
    required: true,
    schema: text(128, "^[A-Za-z0-9._:/+=@-]{1,128}$"),
    example: "0f9d6a2e-54b1-4a37-9d8c-6f1c3b7e2a10",
  },
  "Cache-Control": {
    description: "Replies must not be cached.",
    required: true,
    schema: { type: "string", const: "no-store" },
  },
  ETag: {
    description:
      "Version of the content. Send it as `If-None-Match` to get 304 while the content is unchanged.",
    required: true,
    schema: text(64, '^"[A-Za-z0-9_-]+"$'),
    example: '"mRkLTlsq4jqWjfIq0hxAj1xPD-s"',
  },
  "RateLimit-Policy": {
    description: "The quota: `q` requests per `w` seconds. Absent when there is no limit.",
    schema: text(64, '^"[a-z-]+";q=\\d+;w=\\d+$'),
    example: '"token";q=600;w=60',
  },
  RateLimit: {
    description:
      "Remaining quota: `r` requests until the window ends in `t` seconds. Absent when there is no limit.",
    schema: text(64, '^"[a-z-]+";r=\\d+;t=\\d+$'),
    example: '"token";r=583;t=42',
  },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", minimum: 1, maximum: 3600 },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: true,
    schema: text(256, "^Bearer .*$"),
    example: 'Bearer realm="point-transfer-batches"',
  },
  "Accept-Encoding": {
    description: "The supported content encoding. Sent only when the request body was compressed.",
    schema: { type: "string", const: "identity" },
  },
  "Idempotent-Replayed": {
    description: "`true` when the same batch was already submitted under this ID or key; absent otherwise.",
    schema: { type: "string", const: "true" },
  },
} as const satisfies Record<string, Described>;

type ReplyHeader = keyof typeof REPLY_HEADERS;

const headersOf = (...names: (ReplyHeader | false | undefined)[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.filter(Boolean).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ALWAYS: ReplyHeader[] = ["X-Request-Id", "Cache-Control"];
const LIMITS: ReplyHeader[] = ["RateLimit-Policy", "RateLimit"];

/** Completes an operation: security, parameter locations, and every response with examples. */
function completeOperation(method: string, operation: OperationObject, places: Operation) {
  const { operationId } = operation;
  const { isOpen, queryFields, headerFields, types } = places;
  const examples = OPERATION_EXAMPLES[operationId];
  if (!examples) throw new Error(`${operationId} has no examples.`);
  const codes = problemsOf(operationId, places);
  // An operator's token never has the scope that a reversal requires.
  const byOperator = operationId === "batches-reverse" ? [] : [{ operatorToken: [] }];
  operation.security = isOpen ? [] : [{ accessToken: [] }, ...byOperator];
  moveFromBody(operation, queryFields, "query");
  moveFromBody(operation, headerFields, "header");
  for (const parameter of operation.parameters ?? []) {
    parameter.description ??= parameter.schema.description;
    // Importers send the examples of parameters, also of those that nobody asked for.
    if (!parameter.required) delete parameter.schema.examples;
    if (types.get(parameter.name) === "pipe")
      Object.assign(parameter, { style: "deepObject", explode: true });
  }
  const body = operation.requestBody?.content["application/json"];
  if (body) {
    body.schema = { ...body.schema, additionalProperties: false };
    body.examples = { request: { value: withShortestWait(examples.request) } };
    // For programs that check a file before they send it. Not in the schema, where Ajv refuses it.
    if (types.has("transfers")) operation["x-minimumPoints"] = batchLimits().minimumPoints;
  }
  const isRead = method === "get";
  const isSafeToRepeat = codes.includes("batch_cancelled");
  const success = operation.responses["200"]!;
  operation.responses = {
    200: {
      description: "Success.",
      headers: headersOf(...ALWAYS, ...LIMITS, isRead && "ETag", isSafeToRepeat && "Idempotent-Replayed"),
      content: {
        "application/json": {
          schema: success.content!["application/json"]!.schema,
          examples: Object.fromEntries(
            Object.entries(examples.replies).map(([name, reply]) => [
              name,
              { value: { success: true, ...reply } },
            ]),
          ),
        },
      },
    },
    ...(isRead && {
      304: {
        description: STATUSES[304]![1],
        headers: headersOf(...ALWAYS, ...LIMITS, "ETag"),
      },
    }),
    ...problemResponses(codes, !isOpen),
  };
}

/** Moves fields that are sent elsewhere out of the body. The generator does not support such operations. */
function moveFromBody(
  operation: OperationObject,
  fields: ReadonlySet<string>,
  place: "query" | "header",
): void {
  const { properties = {} } = operation.requestBody?.content["application/json"]?.schema ?? {};
  for (const name of fields) {
    const schema = properties[name];
    if (!schema) continue;
    delete properties[name];
    operation.parameters ??= [];
    operation.parameters.push({ name, in: place, required: false, schema });
  }
}

function problemResponses(
  codes: readonly ApiProblemCode[],
  needsToken: boolean,
): OperationObject["responses"] {
  // Counted per token: without a valid one there is no quota to report, nor for what is switched off.
  const isCounted = (status: number) =>
    needsToken ? status !== 401 : status !== 404 || !codes.includes("not_found");
  const responses: OperationObject["responses"] = {};
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    const [, description, header] = STATUSES[status]!;
    const headers = headersOf(...ALWAYS, ...(isCounted(status) ? LIMITS : []), header);
    const problem = { schema: { $ref: "#/components/schemas/Problem" }, examples: {} };
    responses[status] ??= { description, headers, content: { "application/problem+json": problem } };
    const { examples } = responses[status].content!["application/problem+json"]!;
    examples[code] = { $ref: `#/components/examples/${code}` };
  }
  return responses;
}

/** A request that is tried must be accepted by this host, and soon show a finalized batch. */
const withShortestWait = (request: object | undefined) =>
  request && "secondsToFinalize" in request
    ? { ...request, secondsToFinalize: settings().MINIMUM_FINALIZE_SECONDS }
    : request;
