import { bigint, boolean, pgTable, primaryKey } from "drizzle-orm/pg-core";
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
  (t) => [primaryKey({ columns: [t.toAddress, t.createdAt, t.batchSeq, t.contractAddress] })],
);

/** The one row says up to which batch `recipient_transfers` is complete. */
export const recipientProgress = pgTable("recipient_progress", {
  singleton: boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
});
