import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { addressBytes, instant, points, pointsSum, pointType } from "./types";

/** One row per address and point type. Contracts and recipients are the same kind of account. */
export const accounts = pgTable(
  "accounts",
  {
    address: addressBytes("address").notNull(),
    pointType: pointType("point_type").notNull(),
    earned: pointsSum("earned").notNull().default("0"),
    received: pointsSum("received").notNull().default("0"),
    sent: pointsSum("sent").notNull().default("0"),
    pending: pointsSum("pending").notNull().default("0"),
  },
  (t) => [
    primaryKey({ columns: [t.address, t.pointType] }),
    check("accounts_address_length", sql`octet_length(${t.address}) = 20`),
    check("accounts_available", sql`${t.earned} + ${t.received} - ${t.sent} - ${t.pending} >= 0`),
    check("accounts_not_negative", sql`least(${t.earned}, ${t.received}, ${t.sent}, ${t.pending}) >= 0`),
  ],
);

/** Points that staff gave to a PREFUNDED contract. Points issued on demand stand in `batches.issued`. */
export const grants = pgTable(
  "grants",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    contractAddress: addressBytes("contract_address").notNull(),
    pointType: pointType("point_type").notNull(),
    points: points("points").notNull(),
    grantedBy: text("granted_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    check("grants_points", sql`${t.points} > 0`),
    index("grants_by_contract").on(t.contractAddress, t.id),
  ],
);
