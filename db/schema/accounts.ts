import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { contractChanges } from "./contracts";
import { addressBytes, instant, pointsSum, pointType } from "./types";

/** One row per address and point type. Contracts and recipients use the same kind of account. */
export const accounts = pgTable(
  "accounts",
  {
    address: addressBytes("address").notNull(),
    pointType: pointType("point_type").notNull(),
    earned: pointsSum("earned").notNull().default("0"),
    received: pointsSum("received").notNull().default("0"),
    sent: pointsSum("sent").notNull().default("0"),
    pending: pointsSum("pending").notNull().default("0"),
    /** Points issued on demand by the latest submit, so that its statement can return them. */
    issuedLast: pointsSum("issued_last").notNull().default("0"),
  },
  (t) => [
    primaryKey({ columns: [t.address, t.pointType] }),
    check("accounts_address_length", sql`octet_length(${t.address}) = 20`),
    check("accounts_available", sql`${t.earned} + ${t.received} - ${t.sent} - ${t.pending} >= 0`),
    check("accounts_not_negative", sql`least(${t.earned}, ${t.received}, ${t.sent}, ${t.pending}) >= 0`),
  ],
);

/** Every increase of `accounts.earned`: by a batch of an ON_DEMAND contract, or a grant by staff. */
export const issuances = pgTable(
  "issuances",
  {
    id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    contractAddress: addressBytes("contract_address").notNull(),
    pointType: pointType("point_type").notNull(),
    points: pointsSum("points").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }),
    /** Who granted the points. If a second admin approved it, this one proposed it. */
    grantedBy: text("granted_by"),
    approvedBy: text("approved_by"),
    /** The approved change that granted the points, with its `effect` and `decided_at`. */
    changeId: uuid("change_id"),
    changeEffect: text("change_effect"),
    changeDecidedAt: instant("change_decided_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    // By time, so that a statement reads one range of it.
    primaryKey({ columns: [t.contractAddress, t.createdAt, t.id] }),
    index("issuances_by_id").on(t.id),
    uniqueIndex("issuances_change_once")
      .on(t.contractAddress, t.changeId)
      .where(sql`${t.changeId} is not null`),
    check(
      "issuances_change_whole",
      sql`num_nulls(${t.changeId}, ${t.changeEffect}, ${t.changeDecidedAt}) in (0, 3)`,
    ),
    check(
      "issuances_change_effect",
      sql`${t.changeEffect} is null or ${t.changeEffect} = 'GRANT ' || ${t.pointType}::text || ' ' || ${t.points}::text and ${t.approvedBy} is not null`,
    ),
    foreignKey({
      name: "issuances_change",
      columns: [t.contractAddress, t.changeId, t.changeEffect, t.changeDecidedAt],
      foreignColumns: [
        contractChanges.contractAddress,
        contractChanges.id,
        contractChanges.effect,
        contractChanges.decidedAt,
      ],
    }),
    check("issuances_points", sql`${t.points} > 0`),
    check("issuances_origin", sql`(${t.batchSeq} is null) <> (${t.grantedBy} is null)`),
    check(
      "issuances_second_person",
      sql`${t.approvedBy} is null or (${t.grantedBy} is not null and ${t.approvedBy} <> ${t.grantedBy})`,
    ),
  ],
);
