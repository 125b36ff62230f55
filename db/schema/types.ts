import { customType, pgEnum, timestamp } from "drizzle-orm/pg-core";

/** Twenty bytes of an EVM address. A string must never be bound here: Postgres would store its UTF-8 bytes. */
export const addressBytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** `numeric(38,12)`, a decimal string on both sides: an amount is never a float. */
export const points = customType<{ data: string; driverData: string }>({ dataType: () => "numeric(38,12)" });

/** Many amounts of one batch, as the text of a Postgres array: `{1.5,2}`. */
export const pointsList = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(38,12)[]",
});

/** Sums of amounts: wide enough that 10³⁰ of the largest transfers do not overflow it. */
export const pointsSum = customType<{ data: string; driverData: string }>({
  dataType: () => "numeric(68,12)",
});

/** Milliseconds, as a `Date` holds them: a cursor made from one loses nothing. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const pointType = pgEnum("point_type", ["PHASE2_POINTS", "PHASE2_GOLD"]);
export const batchStatus = pgEnum("batch_status", ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"]);
export const issuance = pgEnum("issuance", ["ON_DEMAND", "PREFUNDED"]);
export const staffRole = pgEnum("staff_role", ["viewer", "operator", "admin"]);
