import { encodeCursor } from "@/server/kernel/cursor";
import type { Schema } from "./document/replies";

export const TEXTS = [
  ...[
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "a\udfffb",
    "\u202e\u0007\uffff",
    "x".repeat(100_000),
    "9".repeat(400),
  ],
  ...["-1", "1e400", "NaN", "Infinity", "0000-01-01", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59"],
  ...["9999-12-31T23:59:59.999999-23:59", "+275760-09-13T00:00:00Z", "2026-02-30T00:00:00Z"],
  ...["2026-01-01T24:00:00Z", "294277-01-01T00:00:00Z", "' or 1=1 --", "%", "\\", "__proto__"],
  ...["../../etc/passwd", "{}"],
];
const OTHERS: unknown[] = [
  ...[null, undefined, true, 0, -1, 1.5, 2 ** 53, 1e308, NaN, Infinity],
  ...[[], [null], {}, { a: 1 }, [[[]]]],
];
/** Values of the same form as a good one. */
const alike = (text: string) => [
  text.replaceAll(/\d/g, "9"),
  text.replaceAll(/\d/g, "0"),
  text.replaceAll(/[0-9a-f]/g, "-"),
  text.replaceAll(/[0-9a-z]/gi, "f"),
  text.replaceAll(/(?<=_)[0-9a-f]/g, "-"),
  text.replace(/^\d{4}/, "0000"),
  text.replace(/-\d\d-\d\d/, "-02-31"),
  text.replace(/T\d\d/, "T25"),
  text + text,
  text.toUpperCase(),
  text.slice(1),
];
/** Cursors whose check sum is right, with positions that no page has. */
const cursors = () =>
  [0, -62_167_219_200_000, 253_402_300_799_999, 8.64e15].map((atMs) =>
    encodeCursor({ atMs, seq: 2n ** 63n }, ""),
  );

const badValuesOf = (good: unknown): unknown[] => [
  ...TEXTS,
  ...OTHERS,
  ...cursors(),
  ...(typeof good === "string" ? alike(good) : []),
  ...(Array.isArray(good) ? [Array(3000).fill(good[0]), ...TEXTS.map((text) => [text])] : []),
  ...(typeof good === "number" ? [good + 2 ** 31, -good, 2 ** 63] : []),
];

/** Each input with one of its values replaced, at any depth. */
export function* brokenInputs(good: unknown): Generator<unknown> {
  yield* badValuesOf(good);
  if (typeof good !== "object" || good === null) return;
  for (const [name, value] of Object.entries(good)) {
    for (const broken of brokenInputs(value)) {
      const copy = Array.isArray(good) ? [...good] : { ...good };
      (copy as Record<string, unknown>)[name] = broken;
      yield copy;
    }
  }
}

/**
 * A good value of a schema, with all fields.
 * @param named good values of fields by their name, for rules that a JSON Schema cannot say
 */
export function sampleOf(schema: Schema, named: Record<string, unknown>, name = ""): unknown {
  if (name in named) return named[name];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sampleOf(first, named, name);
  if (schema.enum) return schema.enum[0];
  if ("const" in schema) return schema.const;
  if (schema.examples) return schema.examples[0];
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, of]) => [key, sampleOf(of, named, key)]),
      );
    case "array":
      return [sampleOf(schema.items!, named)];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, 1);
    default:
      return schema.format === "uuid" ? "0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d" : "because";
  }
}
