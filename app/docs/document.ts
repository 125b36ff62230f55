/** The subset of OpenAPI 3.1 that the docs pages use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
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
  example?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Reference {
  $ref?: string;
}

export interface Example extends Reference {
  summary?: string;
  value?: unknown;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
}

export interface Parameter extends Reference {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Header extends Reference {
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Reply extends Reference {
  description?: string;
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
}

export interface Body extends Reference {
  description?: string;
  required?: boolean;
  content?: Record<string, Media>;
}

type Security = Record<string, string[]>;

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  security?: Security[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses?: Record<string, Reply>;
}

export interface SecurityScheme {
  type: string;
  scheme?: string;
  bearerFormat?: string;
  description?: string;
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  security?: Security[];
  paths: Record<string, Record<string, Operation>>;
  components?: {
    securitySchemes?: Record<string, SecurityScheme>;
    headers?: Record<string, Header>;
    [kind: string]: unknown;
  };
}

/** Follows a `$ref`. @throws when the target does not exist */
export function resolve<Value extends Reference>(document: OpenApi, value: Value): Value {
  if (!value.$ref) return value;
  let found: unknown = document;
  for (const part of value.$ref.replace(/^#\//, "").split("/")) {
    found = (found as Record<string, unknown> | undefined)?.[
      decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  }
  if (found === undefined) throw new Error(`The document has no ${value.$ref}`);
  const { $ref: _, ...siblings } = value;
  return resolve(document, { ...(found as Value), ...siblings });
}

const DEPTH_MAX = 6;

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
export function schemaRows(document: OpenApi, schema: Schema, prefix = "", depth = 0): FieldRow[] {
  const { inner } = unwrap(document, schema);
  if (depth > DEPTH_MAX) return [];
  if (inner.items) return schemaRows(document, inner.items, `${prefix}[]`, depth + 1);
  const fields: [string, Schema, boolean][] = Object.entries(inner.properties ?? {}).map(([name, field]) => [
    name,
    field,
    inner.required?.includes(name) ?? false,
  ]);
  if (typeof inner.additionalProperties === "object")
    fields.push(["{key}", inner.additionalProperties, false]);
  const start = prefix ? `${prefix}.` : "";
  return fields.flatMap(([name, field, required]) => [
    { prefix: start, name, required, ...describeSchema(document, field) },
    ...schemaRows(document, field, `${start}${name}`, depth + 1),
  ]);
}

export interface Shape {
  /** Name of the schema, if it has one. */
  name: string;
  rows: FieldRow[];
}

export function shapesOf(document: OpenApi, schema: Schema): Shape[] {
  const choices = resolve(document, schema).anyOf ?? resolve(document, schema).oneOf ?? [schema];
  return choices.map((choice) => ({
    name: choice.$ref?.split("/").at(-1) ?? choice.title ?? "",
    rows: schemaRows(document, choice),
  }));
}

export function describeSchema(
  document: OpenApi,
  schema: Schema,
): Pick<FieldRow, "type" | "description" | "facts"> {
  const { inner, nullable } = unwrap(document, schema);
  const type = typeName(document, inner);
  return {
    type: nullable ? `${type} or null` : type,
    description: schema.description ?? inner.description ?? "",
    facts: facts(inner),
  };
}

/** Resolves references and removes the null alternative. */
export function unwrap(document: OpenApi, schema: Schema): { inner: Schema; nullable: boolean } {
  const whole = resolve(document, schema);
  if (whole.allOf?.length === 1) return unwrap(document, { ...whole, allOf: undefined, ...whole.allOf[0] });
  const choices = whole.anyOf ?? whole.oneOf;
  const others = choices?.filter(({ type }) => type !== "null");
  if (!choices || others?.length !== 1) {
    const types = Array.isArray(whole.type) ? whole.type : [whole.type];
    return {
      inner: whole,
      nullable: types.includes("null") || (others?.length ?? 0) < (choices?.length ?? 0),
    };
  }
  const { inner, nullable } = unwrap(document, others[0]!);
  return {
    inner: { ...inner, default: whole.default ?? inner.default },
    nullable: nullable || others.length < choices.length,
  };
}

function typeName(document: OpenApi, schema: Schema): string {
  if (schema.items) return `array of ${plural(typeName(document, unwrap(document, schema.items).inner))}`;
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== "null");
  if (choices)
    return [...new Set(choices.map((choice) => typeName(document, resolve(document, choice))))].join(" or ");
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== "null");
  if (types[0]) return types.join(" or ");
  return schema.properties ? "object" : typeof (schema.const ?? schema.enum?.[0] ?? "any");
}

const plural = (type: string) => (type.startsWith("array") ? type.replace("array", "arrays") : `${type}s`);

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

export interface Sample {
  name: string;
  summary: string;
  text: string;
}

/** The examples of a body, or one generated from its schema. */
export function samplesOf(document: OpenApi, media: Media): Sample[] {
  const named = Object.entries(media.examples ?? {}).map(([name, example]) => {
    const { summary = "", value } = resolve(document, example);
    return { name, summary, text: pretty(value) };
  });
  if (named.length > 0) return named;
  if (media.example !== undefined) return [{ name: "example", summary: "", text: pretty(media.example) }];
  if (!media.schema) return [];
  return [{ name: "example", summary: "", text: pretty(sampleOf(document, media.schema)) }];
}

/** A valid value, from the schema's own examples where it has them. */
export function sampleOf(document: OpenApi, schema: Schema, depth = 0): unknown {
  const { inner } = unwrap(document, schema);
  const given =
    schema.example ??
    schema.examples?.[0] ??
    inner.example ??
    inner.examples?.[0] ??
    inner.const ??
    inner.default ??
    inner.enum?.[0];
  if (given !== undefined) return given;
  const next = inner.anyOf?.[0] ?? inner.oneOf?.[0];
  if (next) return sampleOf(document, next, depth + 1);
  if (depth > DEPTH_MAX) return null;
  if (inner.items) return [sampleOf(document, inner.items, depth + 1)];
  if (inner.properties) {
    return Object.fromEntries(
      Object.entries(inner.properties).map(([name, field]) => [name, sampleOf(document, field, depth + 1)]),
    );
  }
  const type = Array.isArray(inner.type) ? inner.type[0] : inner.type;
  if (type === "integer" || type === "number") return inner.minimum && inner.minimum > 0 ? inner.minimum : 0;
  if (type === "boolean") return true;
  if (type === "object") return {};
  if (type === "null") return null;
  return patternSample(inner);
}

function patternSample({ format, pattern }: Schema): string {
  if (format === "date-time") return "2026-01-31T12:00:00.000Z";
  if (pattern?.includes("{40}")) return "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  return "text";
}

const pretty = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export interface ParameterView extends FieldRow {
  in: string;
  example: string;
  /** Options in the form; null for free text. */
  choices: string[] | null;
}

export interface BodyView {
  description: string;
  mediaType: string;
  shapes: Shape[];
  samples: Sample[];
}

export interface ReplyView extends Partial<BodyView> {
  status: string;
  description: string;
  /** Header names; the document describes each once. */
  headers: string[];
  /** Problem codes, which are the names of the examples. */
  codes: string[];
}

export interface OperationView {
  /** Also its anchor on the page. */
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  tag: string;
  deprecated: boolean;
  /** Any one of these schemes is enough; empty for a public operation. */
  security: { scheme: string; scopes: string[] }[];
  parameters: ParameterView[];
  body: BodyView | null;
  replies: ReplyView[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

export function readHeaders(document: OpenApi): FieldRow[] {
  return Object.entries(document.components?.headers ?? {}).map(([name, header]) => {
    const about = describeSchema(document, header.schema ?? {});
    return {
      ...about,
      prefix: "",
      name,
      required: false,
      description: header.description ?? about.description,
    };
  });
}

/** In document order. */
export function readOperations(document: OpenApi): OperationView[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method])
      .sort((a, b) => Object.keys(item).indexOf(a) - Object.keys(item).indexOf(b))
      .map((method) => readOperation(document, path, method, item[method]!)),
  );
}

function readOperation(document: OpenApi, path: string, method: string, operation: Operation): OperationView {
  const { operationId, summary = "", description = "", tags, parameters = [], requestBody } = operation;
  return {
    id: operationId ?? `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, "-")}`,
    method: method.toUpperCase(),
    path,
    summary: summary || `${method.toUpperCase()} ${path}`,
    description,
    tag: tags?.[0] ?? "Other",
    deprecated: operation.deprecated ?? false,
    security: (operation.security ?? document.security ?? []).flatMap((requirement) =>
      Object.entries(requirement).map(([scheme, scopes]) => ({ scheme, scopes })),
    ),
    parameters: parameters.map((parameter) => readParameter(document, resolve(document, parameter))),
    body: requestBody ? readBody(document, resolve(document, requestBody)) : null,
    replies: Object.entries(operation.responses ?? {}).map(([status, reply]) =>
      readReply(document, status, resolve(document, reply)),
    ),
  };
}

function readParameter(document: OpenApi, parameter: Parameter): ParameterView {
  const schema = parameter.schema ?? {};
  const { inner } = unwrap(document, schema);
  const about = describeSchema(document, schema);
  const example = parameter.example ?? schema.examples?.[0] ?? schema.example;
  return {
    ...about,
    prefix: "",
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    description: parameter.description ?? about.description,
    example: String(example ?? ""),
    choices: inner.type === "boolean" ? ["true", "false"] : (inner.enum?.map(String) ?? null),
  };
}

function readBody(document: OpenApi, body: Body | Reply): BodyView | null {
  const [entry] = Object.entries(body.content ?? {});
  if (!entry) return null;
  const [mediaType, media] = entry;
  return {
    description: body.description ?? "",
    mediaType,
    shapes: media.schema ? shapesOf(document, media.schema) : [],
    samples: samplesOf(document, media),
  };
}

function readReply(document: OpenApi, status: string, reply: Reply): ReplyView {
  const body = readBody(document, reply);
  const isProblem = body?.mediaType === "application/problem+json";
  return {
    ...body,
    status,
    description: reply.description ?? "",
    headers: Object.keys(reply.headers ?? {}),
    codes: isProblem ? body.samples.map(({ name }) => name) : [],
  };
}
