import { bigint, boolean, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { addressBytes, instant, points } from "./types";

/** Transfers by recipient, copied from `batch_transfers` off the submit path (server/recipients). */
export const recipientTransfers = pgTable(
  "recipient_transfers",
  {
    toAddress: addressBytes("to_address").notNull(),
    createdAt: instant("created_at").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    contractAddress: addressBytes("contract_address").notNull(),
    points: points("points").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.toAddress, t.createdAt, t.batchSeq, t.contractAddress] }),
    // A few pages: rows lie in the order of their batches. The self-check reads them by range.
    index("recipient_transfers_by_batch").using("brin", t.batchSeq),
  ],
);

/** The one row says up to which batch `recipient_transfers` is complete. */
export const recipientProgress = pgTable("recipient_progress", {
  singleton: boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
});
