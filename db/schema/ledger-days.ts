import { sql } from "drizzle-orm";
import { check, date, jsonb, pgTable } from "drizzle-orm/pg-core";
import { bytes } from "./types";

/** The hash chain over days: one link per UTC day, written once the day is over and never changed (docs/books.md). */
export const ledgerDays = pgTable(
  "ledger_days",
  {
    day: date("day").primaryKey(),
    /** The hash of the day before; zeros in the first link. */
    previousHash: bytes("previous_hash").notNull(),
    /** What was issued, submitted, cancelled and finalized on the day. Amounts as in the API. */
    totals: jsonb("totals").notNull(),
    hash: bytes("hash").notNull(),
  },
  (t) => [
    check("ledger_days_hashes", sql`octet_length(${t.previousHash}) = 32 and octet_length(${t.hash}) = 32`),
  ],
);
