import { type Media, type OpenApi, resolve, type Schema } from "./openapi";
import { unwrap } from "./schema-rows";

const DEPTH_MAX = 6;

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
