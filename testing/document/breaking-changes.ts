import { type Resolve, type Schema, type Side, schemaBreaks } from "./schema-breaks";

type Json = Record<string, unknown>;
type Content = Record<string, { schema?: Schema }>;
interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: Schema;
}
interface Reply {
  headers?: Record<string, { schema?: Schema; required?: boolean }>;
  content?: Content;
}
interface Operation {
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Reply>;
}
export interface OpenApi {
  paths: Record<string, object>;
  security?: Record<string, string[]>[];
  components?: object;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Everything in `after` that breaks a caller who was written against `before`, one sentence each. */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const now = operationsOf(after);
  return [...operationsOf(before)].flatMap(([name, operation]) => {
    const changed = now.get(name);
    if (!changed) return [`${name}: the operation was removed`];
    return operationBreaks(operation, changed, resolverOf(before), resolverOf(after)).map(
      (each) => `${name} ${each}`,
    );
  });
}

/** Whether the newest section of a changelog has a line that begins `- **Breaking**`. */
export function announcesBreak(changelog: string): boolean {
  const [, newest = ""] = changelog.split(/^## /m);
  return /^- \*\*Breaking\*\*/m.test(newest);
}

function operationsOf(document: OpenApi): Map<string, Operation> {
  const resolve = resolverOf(document) as (value: object) => object;
  return new Map(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const shared = (item as { parameters?: Parameter[] }).parameters ?? [];
      return METHODS.filter((method) => method in item).map((method) => {
        const operation = (item as Record<string, Operation>)[method]!;
        const whole = {
          ...operation,
          security: operation.security ?? document.security ?? [],
          parameters: [...shared, ...(operation.parameters ?? [])].map((each) => resolve(each) as Parameter),
          requestBody: operation.requestBody && (resolve(operation.requestBody) as Operation["requestBody"]),
          responses: Object.fromEntries(
            Object.entries(operation.responses).map(([status, reply]) => [status, resolve(reply) as Reply]),
          ),
        };
        return [`${method.toUpperCase()} ${path}`, whole as Operation];
      });
    }),
  );
}

function resolverOf(document: OpenApi): Resolve {
  return function resolve(value: Schema): Schema {
    if (typeof value.$ref !== "string") return value;
    const path = value.$ref.replace(/^#\//, "").split("/");
    const found = path.reduce<unknown>(
      (node, key) => (node as Json)[key.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
    return resolve(found as Schema);
  };
}

function operationBreaks(
  before: Operation,
  after: Operation,
  resolveBefore: Resolve,
  resolveAfter: Resolve,
): string[] {
  const was = (schema: Schema | undefined): Side => ({ schema, resolve: resolveBefore });
  const is = (schema: Schema | undefined): Side => ({ schema, resolve: resolveAfter });
  const resolveHeader = (reply: Reply, name: string, resolve: Resolve) => {
    const header = reply.headers?.[name];
    return header && (resolve(header as Schema) as { schema?: Schema });
  };
  const replies = Object.entries(before.responses).flatMap(([status, reply]) => {
    const now = after.responses[status];
    if (!now) return [`${status}: the status was removed`];
    const headers = Object.keys(reply.headers ?? {}).flatMap((name) => {
      const header = resolveHeader(now, name, resolveAfter);
      if (!header) return [`${status} header ${name}: was removed`];
      const known = resolveHeader(reply, name, resolveBefore);
      return schemaBreaks(was(known?.schema), is(header.schema), "response", `${status} header ${name}`);
    });
    return [...headers, ...contentBreaks(reply.content, now.content, was, is, "response", status)];
  });
  return [
    ...(before.operationId === after.operationId
      ? []
      : [`operationId: ${after.operationId} instead of ${before.operationId}`]),
    ...securityBreaks(before, after),
    ...parameterBreaks(before, after, was, is),
    ...bodyBreaks(before, after, was, is),
    ...replies,
  ];
}

/** What a caller sends to prove who calls must still be enough. */
function securityBreaks({ security: before = [] }: Operation, { security: after = [] }: Operation): string[] {
  const ways = before.length > 0 ? before : [{}];
  const isEnough = (way: object) =>
    after.length === 0 || after.some((one) => Object.keys(one).every((scheme) => scheme in way));
  return ways
    .filter((way) => !isEnough(way))
    .map((way) => `security: ${Object.keys(way).join(" and ") || "no token"} is no longer enough`);
}

type ToSide = (schema: Schema | undefined) => Side;

function parameterBreaks(before: Operation, after: Operation, was: ToSide, is: ToSide): string[] {
  const key = (parameter: Parameter) => `${parameter.in} parameter ${parameter.name}`;
  const now = new Map(after.parameters?.map((parameter) => [key(parameter), parameter]));
  const known = new Map(before.parameters?.map((parameter) => [key(parameter), parameter]));
  const required = [...now]
    .filter(([name, parameter]) => parameter.required && !known.get(name)?.required)
    .map(([name]) => `${name}: is required now`);
  const changed = [...known].flatMap(([name, parameter]) => {
    const same = now.get(name);
    return same
      ? schemaBreaks(was(parameter.schema), is(same.schema), "request", name)
      : [`${name}: was removed`];
  });
  return [...required, ...changed];
}

function bodyBreaks(before: Operation, after: Operation, was: ToSide, is: ToSide): string[] {
  const required =
    after.requestBody?.required && !before.requestBody?.required ? ["body: is required now"] : [];
  const content = contentBreaks(
    before.requestBody?.content,
    after.requestBody?.content,
    was,
    is,
    "request",
    "body",
  );
  return [...required, ...content];
}

function contentBreaks(
  before: Content | undefined,
  after: Content | undefined,
  was: ToSide,
  is: ToSide,
  direction: "request" | "response",
  at: string,
): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.[type];
    return now ? schemaBreaks(was(schema), is(now.schema), direction, at) : [`${at}: no longer ${type}`];
  });
}
