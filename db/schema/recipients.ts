import { bigint, boolean, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { addressBytes, instant, points } from "./types";

/** Transfers by recipient, copied from `batch_transfers` outside the submit path (server/recipients). */
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
    // Only a few pages, because rows are in batch order. The self-check reads ranges of it.
    index("recipient_transfers_by_batch").using("brin", t.batchSeq),
  ],
);

/** A single row with the batch up to which `recipient_transfers` is complete. */
export const recipientProgress = pgTable("recipient_progress", {
  singleton: boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
});
