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
import { PROBLEM_TABLE } from "@/server/rest/document/problem-table";
import { formatCount } from "@/terms/output-text";
import { API_PROBLEM_CODES, PROBLEMS } from "@/terms/problems";

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
    ...PROBLEM_TABLE[code],
    code,
    example: JSON.stringify(exampleProblem(code), null, 2),
  })).sort((a, b) => a.status - b.status);
}

export type ErrorView = ReturnType<typeof readErrors>[number];

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
