import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { RawReply } from "../send-raw";
import { type DeclaredReply, type DocumentOperation, document } from "./operations";
import type { Schema } from "./schema";

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
export function problemCode({ headers, text }: RawReply): string | null {
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
