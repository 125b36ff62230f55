import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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

/** Names that staff give addresses. Who gave them is in the audit log. A contract's own label is in `contracts`. */
export const recipientLabels = pgTable(
  "recipient_labels",
  {
    address: addressBytes("address").primaryKey(),
    label: text("label").notNull(),
  },
  (t) => [
    check("recipient_labels_address_length", sql`octet_length(${t.address}) = 20`),
    check("recipient_labels_label_length", sql`char_length(${t.label}) between 1 and 80`),
  ],
);

/** A single row with the batch up to which `recipient_transfers` is complete. */
export const recipientProgress = pgTable("recipient_progress", {
  singleton: boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
});
