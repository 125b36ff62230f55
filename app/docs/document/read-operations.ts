import { type Body, type OpenApi, type Operation, type Parameter, type Reply, resolve } from "./openapi";
import { type Sample, samplesOf } from "./sample";
import { describeSchema, type FieldRow, type Shape, shapesOf, unwrap } from "./schema-rows";

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
