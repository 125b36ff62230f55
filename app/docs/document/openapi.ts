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
