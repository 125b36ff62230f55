import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { addressBytes, points } from "./types";

/**
 * The transfers that are taken back, or about to be. The key allows a transfer to be reversed once. Cancelling the reversal
 * deletes its rows, so that the transfers can be reversed again.
 */
export const reversedTransfers = pgTable(
  "reversed_transfers",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    /** The batch that paid. */
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    toAddress: addressBytes("to_address").notNull(),
    reversalSeq: bigint("reversal_seq", { mode: "bigint" }).notNull(),
    points: points("points").notNull(),
  },
  (t) => [
    primaryKey({ name: "reversed_transfers_once", columns: [t.contractAddress, t.batchSeq, t.toAddress] }),
    // What was taken back from an address, also before it is in the recipient index.
    index("reversed_transfers_by_recipient").on(t.toAddress, t.reversalSeq),
    check("reversed_transfers_points", sql`${t.points} > 0`),
    check("reversed_transfers_address_length", sql`octet_length(${t.toAddress}) = 20`),
    check("reversed_transfers_later", sql`${t.reversalSeq} > ${t.batchSeq}`),
  ],
);
