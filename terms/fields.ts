import { z } from "zod";
import { addressDetail, addressError } from "./address-text";
import {
  ADDRESS_PATTERN,
  BATCH_ID_PATTERN,
  BATCH_STATUSES,
  isMetadataKey,
  METADATA_FILTER_KEYS_MAX,
  METADATA_KEY_PATTERN,
  METADATA_KEYS_MAX,
  METADATA_VALUE_PATTERN,
  POINT_TYPES,
  REFERENCE_PATTERN,
  REFERENCE_RULE,
} from "./batch-terms";
import type { FieldCode } from "./problems";

/** A refinement that fails with one of our own field codes. */
export const rule = (code: FieldCode, detail: string) => ({ message: detail, params: { code } });

export const PointTypeField = z
  .enum(POINT_TYPES)
  .meta({ description: "Point type of all transfers in the batch." });
export const StatusField = z.enum(BATCH_STATUSES).meta({
  description:
    "`PENDING` until it is due, `FINALIZING` while its recipients are credited, then `FINALIZED`. " +
    "`CANCELLED` if it was cancelled before.",
});

const ADDRESS = {
  pattern: ADDRESS_PATTERN.source,
  maxLength: 42,
  examples: ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
};

export const AddressField = z
  .string()
  .superRefine((value, ctx) => {
    const error = addressError(value);
    if (error) ctx.addIssue({ code: "custom", ...rule(error, addressDetail(value, error)) });
  })
  .meta({
    description: "`0x` followed by 40 hex digits. A mixed-case address must match its EIP-55 checksum.",
    ...ADDRESS,
  });

export const AddressOut = z.string().meta({ description: "EVM address, EIP-55 checksummed.", ...ADDRESS });

export const NOT_STORABLE = rule("invalid_value", "contains a character that cannot be stored");
const LABEL_CHARS_MAX = 80;

export const LabelField = z
  .string()
  .trim()
  .refine(
    (value) => value.length > 0 && value.length <= LABEL_CHARS_MAX,
    rule("out_of_range", `must have 1 to ${LABEL_CHARS_MAX} characters`),
  )
  .refine((value) => !/[\p{Cc}\p{Surrogate}]/u.test(value), NOT_STORABLE);

/** A whole number of `/v1`. @param meta its description, and the default of an optional one */
export const wholeNumber = (least: number, most: number, meta: { description: string; default?: number }) =>
  z.int().min(least).max(most).meta(meta);

export const countField = (description?: string) => z.int().min(0).meta({ description });

/** The number of a row, as a cursor. */
export const RowNumberField = z.string().regex(/^[1-9]\d{0,17}$/);

/** Text that people write, of one or more lines. */
export const textField = (charsMin: number, charsMax: number) =>
  z
    .string()
    .trim()
    .min(charsMin)
    .max(charsMax)
    .refine((value) => !/[\0\p{Surrogate}]/u.test(value), NOT_STORABLE);

export const BatchIdField = z
  .string()
  .refine(
    (value) => BATCH_ID_PATTERN.test(value),
    rule(
      "invalid_batch_id",
      "must be 1 to 64 characters from A-Z a-z 0-9 . _ : ~ - " +
        "and not just . or .. since URL clients drop those",
    ),
  )
  .meta({
    description: "ID of the batch, unique within its contract. Not `.` or `..`, which URL clients drop.",
    pattern: BATCH_ID_PATTERN.source,
    maxLength: 64,
    examples: ["payout-2026-01-31"],
  });

export const ReferenceField = z
  .string()
  .refine((value) => REFERENCE_PATTERN.test(value), rule("invalid_value", REFERENCE_RULE))
  .meta({
    description: "Reference of the transfer, as it was sent.",
    pattern: REFERENCE_PATTERN.source,
    maxLength: 64,
    examples: ["season-3:wallet-77"],
  });

/** Not only `z.record`, which drops a key `__proto__` without an error. */
const metadataField = (keysMax: number) =>
  z
    .unknown()
    .superRefine((value, ctx) => {
      const refuse = (code: FieldCode, detail: string, ...path: string[]) =>
        ctx.addIssue({ code: "custom", path, ...rule(code, detail) });
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return refuse("invalid_type", "must be an object");
      const entries: [string, unknown][] = Object.entries(value);
      if (entries.length > keysMax) return refuse("out_of_range", `must have at most ${keysMax} keys`);
      for (const [key, text] of entries) {
        if (!isMetadataKey(key))
          refuse(
            "invalid_value",
            "must have a key of 1 to 40 characters from A-Z a-z 0-9 _ . -, and not __proto__",
            key,
          );
        else if (typeof text !== "string") refuse("invalid_type", "must be a string", key);
        else if (!METADATA_VALUE_PATTERN.test(text))
          refuse("invalid_value", "must have 1 to 200 characters, without control characters", key);
      }
    })
    .pipe(z.record(z.string(), z.string()))
    .meta({
      type: "object",
      propertyNames: { pattern: METADATA_KEY_PATTERN.source },
      additionalProperties: { type: "string", minLength: 1, maxLength: 200 },
      maxProperties: keysMax,
      examples: [{ campaign: "summer" }],
    });

export const MetadataField = metadataField(METADATA_KEYS_MAX).meta({
  id: "Metadata",
  description:
    `What you say about the batch, such as a campaign: up to ${METADATA_KEYS_MAX} keys, ` +
    "each with a value of 1 to 200 characters. Part of its content.",
});

export const MetadataFilter = metadataField(METADATA_FILTER_KEYS_MAX).refine(
  (value) => Object.keys(value).length > 0,
  rule("invalid_value", "must have a key"),
);

/**
 * RFC 3339, also without seconds, and with an offset without a colon, as Python's `%z` writes it. In a query,
 * a `+` that is not sent as `%2B` arrives as a space.
 */
const INSTANT_PATTERN = new RegExp(
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])" +
    "([Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?" +
    "([Zz]|[+ -]([01][0-9]|2[0-3]):?[0-5][0-9]))?$",
);

/** In the one form that every `Date.parse` reads. */
const withUsualForms = (value: string) =>
  value
    .toUpperCase()
    .replace(" ", "+")
    .replace(/([+-]\d\d)(\d\d)$/, "$1:$2");

/** Knows how many days a month has, which the pattern does not. */
const isoDate = z.iso.date();
const EARLIEST_MS = Date.UTC(1970, 0, 1);
/** The last millisecond that RFC 3339 can represent. */
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds of an ISO 8601 date-time with `Z` or an offset, or of a date (UTC); null otherwise. */
export function parseInstant(given: string): number | null {
  if (!INSTANT_PATTERN.test(given) || !isoDate.safeParse(given.slice(0, 10)).success) return null;
  const ms = Date.parse(withUsualForms(given));
  return ms > LATEST_MS ? null : Math.max(ms, EARLIEST_MS);
}

const INSTANT = "An ISO 8601 date-time with `Z` or an offset, or a date (midnight UTC).";

export const TimestampField = z
  .string()
  .refine(
    (value) => parseInstant(value) !== null,
    rule("invalid_timestamp", "must be an ISO 8601 date-time with Z or an offset such as +02:00, or a date"),
  )
  .meta({
    description: INSTANT,
    pattern: INSTANT_PATTERN.source,
    maxLength: 35,
    examples: ["2026-01-31T12:00:00Z"],
  });

export const TimestampOut = z.string().meta({
  format: "date-time",
  description: "RFC 3339 time in UTC, with milliseconds.",
  examples: ["2026-01-31T12:00:00.000Z"],
});

export const PointsOut = z.string().meta({
  description: "Decimal string in shortest exact form.",
  pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,12})?$",
  maxLength: 69,
  examples: ["10.5"],
});

/** Replies leave it out: it is added when they are checked. */
export const SuccessField = z
  .literal(true)
  .meta({ description: "Always `true`; `false` in errors." })
  .prefault(true);

/** A caller's exclusive lower bound as a UTC instant, whatever the session's time zone; null if absent. */
export function boundAfter(given: string | undefined, addedMs = 0): string | null {
  const ms = given === undefined ? null : parseInstant(given);
  return ms === null ? null : new Date(Math.min(ms + addedMs, LATEST_MS)).toISOString();
}

/** The same for an upper bound, rounded up if it has digits beyond milliseconds, which `Date` drops. */
export const boundBefore = (given: string | undefined): string | null =>
  boundAfter(given, /\.\d{3}\d*[1-9]/.test(given ?? "") ? 1 : 0);

/**
 * Changes a schema so that tRPC parses as fast as `parse` does. It calls `parseAsync`, for which zod does not
 * compile a parser: 53 µs for a list of fifty instead of 5. Call it last, since `meta` returns a copy. The
 * schema must be synchronous.
 */
export const compiled = <Schema extends z.ZodType>(schema: Schema): Schema =>
  Object.assign(schema, { parseAsync: async (value: unknown) => schema.parse(value) });

/** An object of `/v1`. @param id its name in the OpenAPI document */
export const objectOf = <Fields extends z.ZodRawShape>(id: string, fields: Fields) =>
  z.strictObject(fields).meta({ id });

/** A successful reply of `/v1`. */
export const replyOf = <Fields extends z.ZodRawShape>(id: string, fields: Fields) =>
  objectOf(id, { success: SuccessField, ...fields });
