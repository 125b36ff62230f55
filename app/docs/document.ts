import { groupPath } from "@/server/rest/document/groups";
import {
  type Described,
  type Media,
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

/** The document served at `/v1/openapi.json`, with this host's limits. */
export const readDocument = () => openApiDocument() as unknown as OpenApi;

/** Follows a `$ref`. @throws when the target does not exist */
function resolve<Value extends { $ref?: string }>({ $ref, ...siblings }: Value): Value {
  if (!$ref) return siblings as Value;
  const [kind = "", name = ""] = $ref.replace("#/components/", "").split("/");
  const components = readDocument().components as unknown as Record<string, Record<string, Value>>;
  const found = components[kind]?.[name];
  if (!found) throw new Error(`The document has no ${$ref}`);
  return resolve({ ...found, ...siblings });
}

export type FieldRow = ReturnType<typeof rowOf>;

/** A field's own description goes before its schema's. @param prefix path of the parent: `transfers[].` */
function rowOf(name: string, { required = false, description, schema = {} }: Described, prefix = "") {
  const inner = resolve(schema);
  return {
    prefix,
    name,
    type: typeName(inner),
    required,
    description: description ?? inner.description ?? "",
    facts: facts(inner),
  };
}

/** Nested fields follow their parent. */
function schemaRows(given: Schema, prefix = ""): FieldRow[] {
  const { items, properties = {}, required = [] } = resolve(given);
  if (items) return schemaRows(items, `${prefix}[]`);
  const start = prefix ? `${prefix}.` : "";
  return Object.entries(properties).flatMap(([name, schema]) => [
    rowOf(name, { schema, required: required.includes(name) }, start),
    ...schemaRows(schema, `${start}${name}`),
  ]);
}

function typeName({ type = "any", items }: Schema): string {
  return items ? `array of ${typeName(resolve(items))}s` : [type].flat().join(" or ");
}

function facts(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    schema.const === undefined ? "" : `always \`${JSON.stringify(schema.const)}\``,
    schema.enum ? `one of ${list(schema.enum)}` : "",
    range(safe(minimum), safe(maximum), ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    schema.pattern ? `pattern \`${schema.pattern}\`` : "",
    schema.format ? `format \`${schema.format}\`` : "",
    schema.default === undefined ? "" : `default \`${JSON.stringify(schema.default)}\``,
    schema.items?.enum ? `each one of ${list(schema.items.enum)}` : "",
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

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

export type OperationView = ReturnType<typeof readOperation>;
export type ReplyView = OperationView["replies"][number];

export const readHeaders = (): FieldRow[] =>
  Object.entries(readDocument().components.headers).map(([name, header]) => rowOf(name, header));

/** In document order. */
export const readOperations = () =>
  Object.entries(readDocument().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => readOperation(path, method, operation)),
  );

function readOperation(path: string, method: string, operation: OperationObject) {
  const { operationId, summary, description, tags, security, parameters = [], requestBody } = operation;
  return {
    /** Also its anchor on its group's page. */
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    tag: tags[0]!,
    /** Where it is described. */
    href: `${groupPath(tags[0]!)}#${operationId}`,
    /** Any one of these schemes is enough; empty for a public operation. */
    security: security.flatMap(Object.keys),
    parameters: parameters.map((parameter) => readParameter(parameter)),
    body: requestBody && readBody(requestBody.content["application/json"]!),
    replies: Object.entries(operation.responses).map(([status, reply]) => readReply(status, resolve(reply))),
  };
}

function readParameter(parameter: Parameter) {
  const inner = resolve(parameter.schema);
  // Sent by key: that of its description.
  const name = parameter.style === "deepObject" ? `${parameter.name}[campaign]` : parameter.name;
  return {
    ...rowOf(name, parameter),
    in: parameter.in,
    example: String(inner.examples?.[0] ?? ""),
    /** Options in the form; null for free text. */
    choices: inner.type === "boolean" ? ["true", "false"] : (inner.enum?.map(String) ?? null),
  };
}

const readBody = ({ schema, examples }: Media) => ({
  /** The alternatives, with the names of those that have one. */
  shapes: (resolve(schema).anyOf ?? [schema]).map((choice) => ({
    name: choice.$ref?.split("/").at(-1) ?? "",
    rows: schemaRows(choice),
  })),
  samples: Object.values(examples).map((example) => pretty(resolve(example).value)),
});

/** Nearly every reply has them. */
const COMMON_HEADERS = ["X-Request-Id", "Cache-Control", "RateLimit-Policy", "RateLimit"];

function readReply(status: string, { description = "", headers = {}, content = {} }: Reply) {
  const { "application/json": success, "application/problem+json": problem } = content;
  return {
    status,
    description,
    /** Names; the document describes each once. */
    headers: Object.keys(headers)
      .filter((name) => !COMMON_HEADERS.includes(name))
      .join(", "),
    body: success && readBody(success),
    /** Problem codes, which are the names of the examples. Their bodies are on the page of errors. */
    codes: Object.keys(problem?.examples ?? {}),
  };
}

export function readErrors() {
  return API_PROBLEM_CODES.map((code) => ({
    ...PROBLEMS[code],
    ...PROBLEM_TABLE[code],
    code,
    example: pretty(exampleProblem(code)),
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
  body: body?.samples[0],
});
export type Callable = ReturnType<typeof toCallable>;
