import { type SQL, sql } from "drizzle-orm";
import { customType, pgEnum, timestamp } from "drizzle-orm/pg-core";

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** The 20 bytes of an EVM address. Never bind a string here, because Postgres would store its UTF-8 bytes. */
export const addressBytes = bytes;

/** A type whose values are text in code: amounts are decimal strings, never floats, and lists `{1.5,2}`. */
const asText = (type: string) => customType<{ data: string; driverData: string }>({ dataType: () => type });

/** Text that is compared by its bytes. */
export const byteText = asText('text collate "C"');

export const points = asText("numeric(38,12)");
export const pointsList = asText("numeric(38,12)[]");

/** Sums of amounts, wide enough for 10³⁰ of the largest transfers. */
export const pointsSum = asText("numeric(68,12)");
export const pointsSumList = asText("numeric(68,12)[]");

/** Whole base units of a token, below 2^256. */
export const baseUnits = asText("numeric(78,0)");
export const baseUnitsList = asText("numeric(78,0)[]");
/** Tokens per point: as many digits as a total has, and up to 36 decimals. */
export const tokenRate = asText("numeric(114,36)");

/** Millisecond precision, the same as `Date`, so that cursors lose nothing. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const pointType = pgEnum("point_type", ["PHASE2_POINTS", "PHASE2_GOLD"]);
export const batchStatus = pgEnum("batch_status", ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"]);
export const issuance = pgEnum("issuance", ["ON_DEMAND", "PREFUNDED"]);
export const staffRole = pgEnum("staff_role", ["viewer", "operator", "admin"]);

/** Conditions of a check. Drizzle's `and` adds parentheses, which the migrations do not have. */
export const allOf = (...conditions: SQL[]) => sql.join(conditions, sql` and `);
