import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { addressBytes, instant } from "./types";

/** The batches whose review found something unusual, written outside the submit path (server/batches/review). */
export const batchReviews = pgTable(
  "batch_reviews",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    /** The batch's creation time, so that the list can page through unusual batches. */
    createdAt: instant("created_at").notNull(),
    level: text("level").notNull(),
    findings: jsonb("findings").notNull(),
    reviewedAt: instant("reviewed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    check("batch_reviews_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("batch_reviews_level", sql`${t.level} in ('unusual', 'alarming')`),
    index("batch_reviews_by_creation").on(t.createdAt, t.batchSeq),
    index("batch_reviews_by_contract").on(t.contractAddress, t.createdAt, t.batchSeq),
  ],
);

/** At most one row: the batch up to which all batches have been reviewed. No row before the first review. */
export const reviewProgress = pgTable("review_progress", {
  singleton: boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
});
