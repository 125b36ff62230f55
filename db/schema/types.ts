import { type SQL, sql } from "drizzle-orm";
import { customType, pgEnum, timestamp } from "drizzle-orm/pg-core";

/** The 20 bytes of an EVM address. Never bind a string here, because Postgres would store its UTF-8 bytes. */
export const addressBytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** Text that is compared by its bytes. */
export const byteText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate "C"',
});

/** `numeric(38,12)`, always a decimal string in code, so that amounts are never floats. */
export const points = customType<{ data: string; driverData: string }>({ dataType: () => "numeric(38,12)" });

/** The amounts of a batch, as the text of a Postgres array: `{1.5,2}`. */
export const pointsList = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(38,12)[]",
});

/** Sums of amounts, wide enough for 10³⁰ of the largest transfers. */
export const pointsSum = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(68,12)",
});

/** The same as a list, as the text of a Postgres array. */
export const pointsSumList = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(68,12)[]",
});

/** Whole base units of a token, below 2^256, always as decimal digits in code. */
export const baseUnits = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(78,0)",
});

/** The same as a list, as the text of a Postgres array. */
export const baseUnitsList = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(78,0)[]",
});

/** Millisecond precision, the same as `Date`, so that cursors lose nothing. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const pointType = pgEnum("point_type", ["PHASE2_POINTS", "PHASE2_GOLD"]);
export const batchStatus = pgEnum("batch_status", ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"]);
export const issuance = pgEnum("issuance", ["ON_DEMAND", "PREFUNDED"]);
export const staffRole = pgEnum("staff_role", ["viewer", "operator", "admin"]);

/** Conditions of a check. Drizzle's `and` adds parentheses, which the migrations do not have. */
export const allOf = (...conditions: SQL[]) => sql.join(conditions, sql` and `);
