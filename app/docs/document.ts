/** The subset of OpenAPI 3.1 that the document uses. */
interface Schema {
  $ref?: string;
  type?: string;
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
}

interface Described {
  $ref?: string;
  description?: string;
  schema?: Schema;
}

interface Parameter extends Described {
  name: string;
  in: string;
  required?: boolean;
}

interface Media {
  schema: Schema;
  examples: Record<string, { $ref?: string; summary?: string; value?: unknown }>;
}

interface Reply extends Described {
  headers?: Record<string, Described>;
  content?: Record<string, Media>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Reply;
  responses: Record<string, Reply>;
}

export interface OpenApi {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, { description: string }>;
    headers: Record<string, Described>;
  };
}

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
  /** Bounds, values and patterns, as text. */
  facts: string[];
}

/** Nested fields follow their parent. */
function schemaRows(document: OpenApi, schema: Schema, prefix = ""): FieldRow[] {
  const { inner } = unwrap(document, schema);
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
  const { inner, nullable } = unwrap(document, schema);
  const type = typeName(document, inner);
  return {
    type: nullable ? `${type} or null` : type,
    description: schema.description ?? inner.description ?? "",
    facts: facts(inner),
  };
}

/** Resolves references and removes the null alternative. */
function unwrap(document: OpenApi, schema: Schema): { inner: Schema; nullable: boolean } {
  const whole = resolve(document, schema);
  const [only, ...more] = whole.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (!only || more.length > 0) return { inner: whole, nullable: false };
  return { inner: { ...resolve(document, only), default: whole.default }, nullable: true };
}

function typeName(document: OpenApi, { type = "any", items }: Schema): string {
  return items ? `array of ${typeName(document, unwrap(document, items).inner)}s` : type;
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
    schema.format && !/^int\d/.test(schema.format) ? `format \`${schema.format}\`` : "",
    schema.default === undefined ? "" : `default \`${JSON.stringify(schema.default)}\``,
    ...item,
  ].filter(Boolean);
}

const list = (values: unknown[]) => values.map((value) => `\`${String(value)}\``).join(", ");

/** Bounds at JSON's integer limits carry no information. */
const safe = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) {
    return least === most
      ? `exactly ${grouped(least)}${unit}`
      : `${grouped(least)} to ${grouped(most)}${unit}`;
  }
  if (least !== undefined) return `at least ${grouped(least)}${unit}`;
  return most === undefined ? "" : `at most ${grouped(most)}${unit}`;
}

const grouped = (value: number) => value.toLocaleString("en-GB");

const pretty = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export type OperationView = ReturnType<typeof readOperation>;
export type ReplyView = OperationView["replies"][number];

export const readHeaders = (document: OpenApi): FieldRow[] =>
  Object.entries(document.components.headers).map(([name, header]) => ({
    ...readField(document, header),
    name,
    required: false,
  }));

/** In document order. */
export const readOperations = (document: OpenApi) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => readOperation(document, path, method, operation)),
  );

function readOperation(document: OpenApi, path: string, method: string, operation: Operation) {
  const { operationId, summary, description, tags, security, parameters = [], requestBody } = operation;
  return {
    /** Also its anchor on the page. */
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
  const { inner } = unwrap(document, parameter.schema ?? {});
  return {
    ...readField(document, parameter),
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    example: String(inner.examples?.[0] ?? ""),
    /** Options in the form; null for free text. */
    choices: inner.type === "boolean" ? ["true", "false"] : (inner.enum?.map(String) ?? null),
  };
}

function readBody(document: OpenApi, { content = {} }: Reply) {
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
