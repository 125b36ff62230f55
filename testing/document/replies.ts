import { readFileSync } from "node:fs";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { TokenScope } from "@/server/auth/tokens";
import type { RawReply } from "@/testing/rest-request";

/** A JSON Schema of the document, with the keywords that it uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  examples?: unknown[];
  minimum?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [limit: string]: unknown;
}

interface DeclaredReply {
  headers: Record<string, { schema: Schema; required?: boolean }>;
  /** Problem examples are named after their codes. */
  content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
}
export interface DocumentOperation {
  id: string;
  method: string;
  path: string;
  /** The scope that a token needs; null if anyone may call it. */
  scope: TokenScope | null;
  isForOperators: boolean;
  hasBody: boolean;
  replies: Record<string, DeclaredReply>;
}

type Json = Record<string, unknown>;
export const document = JSON.parse(readFileSync("openapi.json", "utf8")) as {
  servers: object[];
  paths: Record<string, Record<string, Json>>;
  components: Json;
};

/** Every operation of the committed document, with resolved replies and headers. */
export const operations: DocumentOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, operation]) => "responses" in operation)
    .map(([method, operation]) => ({
      id: operation.operationId as string,
      method: method.toUpperCase(),
      path,
      ...callersOf(method, operation.security as object[]),
      hasBody: "requestBody" in operation,
      replies: Object.fromEntries(
        Object.entries(operation.responses as Json).map(([status, reply]) => [status, repliesOf(reply)]),
      ),
    })),
);

function callersOf(method: string, security: object[]): Pick<DocumentOperation, "scope" | "isForOperators"> {
  const isForOperators = security.some((one) => "operatorToken" in one);
  if (security.length === 0) return { scope: null, isForOperators };
  if (!isForOperators) return { scope: "batches:reverse", isForOperators };
  return { scope: method === "get" ? "batches:read" : "batches:write", isForOperators };
}

function repliesOf(declared: unknown): DeclaredReply {
  const reply = resolve(declared) as unknown as DeclaredReply;
  const headers = Object.entries(reply.headers ?? {}).map(([name, header]) => [
    name.toLowerCase(),
    resolve(header),
  ]);
  return { ...reply, headers: Object.fromEntries(headers) };
}

function resolve(value: unknown): Json {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value as Json;
  const path = $ref.replace("#/", "").split("/");
  return resolve(path.reduce<unknown>((node, key) => (node as Json)[key], document));
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
const compiled = new Map<Schema, ValidateFunction>();

/** Headers of the transport or of every answer, which are not part of an operation. */
const NOT_OF_AN_OPERATION = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "server",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
]);

/** How a reply differs from the document, one sentence each. */
export function replyErrors(operation: DocumentOperation, reply: RawReply): string[] {
  const declared = operation.replies[reply.status];
  if (!declared) return [`the status ${reply.status} is not declared: ${reply.text.slice(0, 200)}`];
  return [...headerErrors(declared.headers, reply), ...bodyErrors(declared.content, reply)];
}

function headerErrors(declared: DeclaredReply["headers"], { headers }: RawReply): string[] {
  const undeclared = Object.keys(headers)
    .filter((name) => !NOT_OF_AN_OPERATION.has(name) && !(name in declared))
    .map((name) => `the header ${name} is not declared`);
  const wrong = Object.entries(declared).flatMap(([name, { schema, required }]) => {
    const value = headers[name];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    const isNumber = schema.type === "integer" || schema.type === "number";
    const error = schemaError(schema, isNumber ? Number(value) : String(value));
    return error ? [`the header ${name} is ${value}: ${error}`] : [];
  });
  return [...undeclared, ...wrong];
}

function bodyErrors(content: DeclaredReply["content"], reply: RawReply): string[] {
  if (!content || Object.keys(content).length === 0) {
    return reply.text === "" ? [] : [`there is a body: ${reply.text.slice(0, 200)}`];
  }
  const type = String(reply.headers["content-type"]);
  const declared = content[type];
  if (!declared) return [`the media type ${type} is not declared`];
  const body: unknown = JSON.parse(reply.text);
  const code = problemCode(reply);
  if (code && !(code in (declared.examples ?? {}))) return [`the code ${code} is not declared`];
  const error = schemaError(declared.schema, body);
  return error ? [`the body is not as declared: ${error}: ${reply.text.slice(0, 200)}`] : [];
}

/** The code of a problem reply. */
function problemCode({ headers, text }: RawReply): string | null {
  if (headers["content-type"] !== "application/problem+json") return null;
  return (JSON.parse(text) as { code: string }).code;
}

function schemaError(schema: Schema, value: unknown): string | null {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile({ ...schema, components: document.components });
    compiled.set(schema, validate);
  }
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** An error may end a request before it is counted, so these replies may have no quota. */
const NEED_NOT_BE = / (?:500|503) ratelimit/;

/** What was answered, and what of the document was not reached. */
export class Tally {
  readonly #seen = new Set<string>();

  add({ id }: DocumentOperation, reply: RawReply): void {
    const code = problemCode(reply);
    for (const name of ["", ...Object.keys(reply.headers), ...(code ? [code] : [])]) {
      this.#seen.add(`${id} ${reply.status} ${name}`);
    }
  }

  /** Declared statuses, headers and codes that no reply had. */
  unreached(): string[] {
    return operations.flatMap(({ id, replies }) =>
      Object.entries(replies).flatMap(([status, reply]) => {
        const codes = Object.keys(reply.content?.["application/problem+json"]?.examples ?? {});
        return ["", ...Object.keys(reply.headers), ...codes]
          .map((name) => `${id} ${status} ${name}`)
          .filter((each) => !this.#seen.has(each) && !NEED_NOT_BE.test(each));
      }),
    );
  }
}
