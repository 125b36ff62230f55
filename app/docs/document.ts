import { groupPath } from "@/server/rest/document/groups";
import {
  type Described,
  type OpenApi,
  type OperationObject,
  openApiDocument,
  type Parameter,
  type Reply,
  type Schema,
} from "@/server/rest/document/openapi-document";
import { exampleProblem } from "@/server/rest/document/problem-schema";
import { formatCount } from "@/terms/output-text";
import { API_PROBLEM_CODES, type ApiProblemCode, PROBLEMS } from "@/terms/problems";

/** Follows a `$ref`. @throws when the target does not exist */
function resolve<Value extends { $ref?: string }>(document: OpenApi, { $ref, ...siblings }: Value): Value {
  if (!$ref) return siblings as Value;
  const [kind = "", name = ""] = $ref.replace("#/components/", "").split("/");
  const found = (document.components as unknown as Record<string, Record<string, Value>>)[kind]?.[name];
  if (!found) throw new Error(`The document has no ${$ref}`);
  return resolve(document, { ...found, ...siblings });
}

export interface FieldRow {
  /** Path of the parent: `transfers[].` */
  prefix: string;
  name: string;
  type: string;
  required: boolean;
  description: string;
  facts: string[];
}

/** Nested fields follow their parent. */
function schemaRows(document: OpenApi, schema: Schema, prefix = ""): FieldRow[] {
  const inner = resolve(document, schema);
  if (inner.items) return schemaRows(document, inner.items, `${prefix}[]`);
  const start = prefix ? `${prefix}.` : "";
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => [
    {
      prefix: start,
      name,
      required: inner.required?.includes(name) ?? false,
      ...describeSchema(document, field),
    },
    ...schemaRows(document, field, `${start}${name}`),
  ]);
}

/** The alternatives of a body, with the names of those that have one. */
const shapesOf = (document: OpenApi, schema: Schema) =>
  (resolve(document, schema).anyOf ?? [schema]).map((choice) => ({
    name: choice.$ref?.split("/").at(-1) ?? "",
    rows: schemaRows(document, choice),
  }));

function describeSchema(document: OpenApi, schema: Schema): Pick<FieldRow, "type" | "description" | "facts"> {
  const inner = resolve(document, schema);
  return {
    type: typeName(document, inner),
    description: schema.description ?? inner.description ?? "",
    facts: facts(inner),
  };
}

function typeName(document: OpenApi, { type = "any", items }: Schema): string {
  return items ? `array of ${typeName(document, resolve(document, items))}s` : [type].flat().join(" or ");
}

function facts(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const item = schema.items?.enum ? [`each one of ${list(schema.items.enum)}`] : [];
  return [
    schema.const === undefined ? "" : `always \`${JSON.stringify(schema.const)}\``,
    schema.enum ? `one of ${list(schema.enum)}` : "",
    range(safe(minimum), safe(maximum), ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    schema.pattern ? `pattern \`${schema.pattern}\`` : "",
    schema.format ? `format \`${schema.format}\`` : "",
    schema.default === undefined ? "" : `default \`${JSON.stringify(schema.default)}\``,
    ...item,
  ].filter(Boolean);
}

const list = (values: unknown[]) => values.map((value) => `\`${String(value)}\``).join(", ");

/** Bounds at JSON's integer limits carry no information. */
const safe = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined) return most === undefined ? "" : `at most ${formatCount(most)}${unit}`;
  if (most === undefined) return `at least ${formatCount(least)}${unit}`;
  const to =
    least === most ? `exactly ${formatCount(least)}` : `${formatCount(least)} to ${formatCount(most)}`;
  return to + unit;
}

const pretty = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export type OperationView = ReturnType<typeof readOperation>;
export type ReplyView = OperationView["replies"][number];

export const readHeaders = (document: OpenApi): FieldRow[] =>
  Object.entries(document.components.headers).map(([name, header]) => ({
    ...readField(document, header),
    name,
    required: false,
  }));

/** Where an operation is described. */
export const operationPath = ({ tag, id }: Pick<OperationView, "tag" | "id">): string =>
  `${groupPath(tag)}#${id}`;

/** In document order. */
export const readOperations = (document: OpenApi) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => readOperation(document, path, method, operation)),
  );

function readOperation(document: OpenApi, path: string, method: string, operation: OperationObject) {
  const { operationId, summary, description, tags, security, parameters = [], requestBody } = operation;
  return {
    /** Also its anchor on its group's page. */
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    tag: tags[0]!,
    /** Any one of these schemes is enough; empty for a public operation. */
    security: security.flatMap((requirement) =>
      Object.entries(requirement).map(([scheme, scopes]) => ({ scheme, scopes })),
    ),
    parameters: parameters.map((parameter) => readParameter(document, parameter)),
    body: requestBody ? readBody(document, requestBody) : null,
    replies: Object.entries(operation.responses).map(([status, reply]) =>
      readReply(document, status, resolve(document, reply)),
    ),
  };
}

/** A parameter's own description goes before its schema's. */
function readField(document: OpenApi, { description, schema = {} }: Described) {
  const about = describeSchema(document, schema);
  return { ...about, prefix: "", description: description ?? about.description };
}

function readParameter(document: OpenApi, parameter: Parameter) {
  const inner = resolve(document, parameter.schema);
  return {
    ...readField(document, parameter),
    // Sent by key: that of its description.
    name: parameter.style === "deepObject" ? `${parameter.name}[campaign]` : parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    example: String(inner.examples?.[0] ?? ""),
    /** Options in the form; null for free text. */
    choices: inner.type === "boolean" ? ["true", "false"] : (inner.enum?.map(String) ?? null),
  };
}

function readBody(document: OpenApi, { content = {} }: Pick<Reply, "content">) {
  const [entry] = Object.entries(content);
  if (!entry) return null;
  const [mediaType, { schema, examples }] = entry;
  const samples = Object.entries(examples).map(([name, example]) => {
    const { summary = "", value } = resolve(document, example);
    return { name, summary, text: pretty(value) };
  });
  return { mediaType, shapes: shapesOf(document, schema), samples };
}

function readReply(document: OpenApi, status: string, reply: Reply) {
  const body = readBody(document, reply);
  const isProblem = body?.mediaType === "application/problem+json";
  return {
    status,
    description: reply.description ?? "",
    mediaType: body?.mediaType,
    shapes: body?.shapes ?? [],
    samples: body?.samples ?? [],
    /** Names; the document describes each once. */
    headers: Object.keys(reply.headers ?? {}),
    /** Problem codes, which are the names of the examples. */
    codes: isProblem ? body.samples.map(({ name }) => name) : [],
  };
}

/** The document served at `/v1/openapi.json`, with this host's limits. */
export const readDocument = () => openApiDocument() as unknown as OpenApi;

export function readErrors() {
  return API_PROBLEM_CODES.map((code) => ({
    ...PROBLEMS[code],
    code,
    when: WHEN[code],
    example: JSON.stringify(exampleProblem(code), null, 2),
  })).sort((a, b) => a.status - b.status);
}

export type ErrorView = ReturnType<typeof readErrors>[number];

const WHEN = {
  validation_failed:
    "A parameter or a field is invalid. `errors` lists the first 100 errors with a JSON pointer to each " +
    "(a dry run lists all of them), and `errorCount` is the total. Nothing is stored.",
  invalid_json:
    "The body is not a single JSON object in UTF-8, has a duplicate key, or is nested too deeply.",
  invalid_cursor: "`cursor` was not issued by this service.",
  cursor_mismatch:
    "`cursor` is valid, but was issued for different filters, another sort order or another contract.",
  missing_token: "The `Authorization` header is missing.",
  invalid_token:
    "`Authorization` does not have the form `Bearer <token>`, or the token is unknown: it may be " +
    "truncated, mistyped or from another host.",
  expired_token: "The token is no longer valid: it expired, was revoked, or belongs to a previous operator.",
  challenge_expired:
    "The `Expiration Time` in the challenge's message has passed, or it was already used. " +
    "Each challenge works once.",
  invalid_signature:
    "The signature is not valid for any address, the operator's contract (ERC-1271) refused it, or the " +
    "operator signed a challenge that was requested for another address.",
  not_operator:
    "The signature is valid, but the signer is not the contract's operator. `signer` has the address. If " +
    "you do not recognize it, the message was changed before it was signed, or the operator is a " +
    "smart-contract wallet that the service cannot ask.",
  wrong_contract: "The token is valid, but belongs to a different contract than the one in the path.",
  missing_scope:
    "The token lacks the required scope: `batches:read` to read, `batches:write` to submit, to cancel " +
    "and to manage webhooks, `batches:reverse` to take back.",
  not_found:
    "No operation has this path, or the contract has no such webhook. Paths are case-sensitive. A slash at " +
    "the end is not ignored, and `detail` says so where it is the reason.",
  contract_not_found: "The contract is not registered with this service.",
  batch_not_found: "The contract has no batch with this ID.",
  payout_not_found: "The contract has no batch that was submitted with this `payoutId`.",
  receipt_not_found: "The batch has no transfer to this address, or it is a reversal.",
  method_not_allowed:
    "The path exists, but does not support this method. The `Allow` header lists the supported ones.",
  batch_id_conflict:
    "The contract already has a batch with this ID and different content. The body has both digests, and " +
    "`detail` says when only the order of the transfers, a `reference` or `secondsToFinalize` differs. " +
    "Repeating the same content succeeds.",
  not_cancellable:
    "The batch is already FINALIZING, FINALIZED or CANCELLED. `batchStatus` says which, and `since` says " +
    "since when.",
  body_too_large: "The body exceeds the size limit. It is rejected before it is parsed.",
  unsupported_media_type: "The `Content-Type` is not JSON, or the body is compressed.",
  insufficient_points:
    "The contract is prefunded, and the batch needs more points than the contract has available. Nothing " +
    "is stored.",
  batch_cancelled:
    "A `PUT`, a `POST` with `Idempotency-Key`, or a reversal with a `reversalId`, repeats the content of " +
    "a batch that was cancelled. That batch stays cancelled, so nothing would be credited. `since` " +
    "has the time.",
  idempotency_key_reused:
    "The contract already has a batch with this `Idempotency-Key` and different content. The body has " +
    "both digests, and `detail` says when only the order of the transfers or `secondsToFinalize` " +
    "differs. Repeating the same content succeeds. Keys do not expire.",
  batch_not_finalized:
    "The root, a receipt or a reversal was requested of a batch that is PENDING, FINALIZING or " +
    "CANCELLED. `batchStatus` says which.",
  already_reversed:
    "Another reversal has taken back some of the transfers, or will. `reversed` lists each recipient " +
    "with the ID, status and due time of that reversal.",
  recipients_short:
    "Some recipients are contracts that have already spent the points. `recipients` lists each with the " +
    "points it has available and the points to take back. Nothing was stored.",
  reference_already_paid:
    "Another batch of the contract pays some of the references, and is neither cancelled nor taken back. " +
    "`errors` lists each row with that batch, its status and the position in it. Nothing is stored.",
  snapshot_not_found:
    "The contract has no snapshot of this point type that is TAKEN, or none with this ID. A running one is " +
    "in the list of snapshots.",
  allocation_not_found: "No allocation has this ID, or it is not published.",
  claim_not_found:
    "The allocation has no claim of this address. It held nothing, too little, or was left out.",
  ledger_not_in_balance:
    "The service's last check of all balances found a difference, of which its staff are notified. Until a " +
    "check finds none, no snapshot is taken.",
  rate_limited:
    "The token has used up its requests for this minute. Sign-ins, failed sign-ins, requests for claims " +
    "and the public books, and requests with unknown, expired or revoked tokens are limited per client IP " +
    "address. The `RateLimit` header has the remaining requests and the time until the reset.",
  internal_error:
    "The service failed. The error is logged under the request ID, without any of the data you sent.",
  unavailable:
    "The service cannot reach its database, waits for a migration or is shutting down, or a statement took " +
    "too long. The request was not applied, or it is safe to repeat, such as a `PUT`, or a `POST` with its " +
    "`Idempotency-Key`.",
  outcome_unknown:
    "The database got a `POST` that is not safe to repeat, and did not answer in time. It may or may not " +
    "have been applied. There is no `Retry-After`, so that no library repeats it by itself. Batches " +
    "submitted with `PUT`, or with `POST` and an `Idempotency-Key`, never get it.",
} satisfies Record<ApiProblemCode, string>;

/** What the form needs. Everything else would be in the page twice. */
export const toCallable = ({ id, method, path, security, parameters, body }: OperationView) => ({
  id,
  method,
  path,
  needsToken: security.length > 0,
  parameters: parameters.map(({ name, in: place, required, example, choices }) => ({
    name,
    in: place,
    required,
    example,
    choices,
  })),
  body: body && { mediaType: body.mediaType, text: body.samples[0]?.text ?? "{}" },
});
export type Callable = ReturnType<typeof toCallable>;
