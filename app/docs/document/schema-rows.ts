import { type OpenApi, resolve, type Schema } from "./openapi";

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
