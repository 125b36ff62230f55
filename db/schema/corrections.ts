import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { addressBytes } from "./types";

/** Batches that staff sent in place of a cancelled batch of the same contract. A file of several batches has a row for each. */
export const batchCorrections = pgTable(
  "batch_corrections",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    /** The cancelled batch. */
    correctsSeq: bigint("corrects_seq", { mode: "bigint" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    index("batch_corrections_by_cancelled").on(t.contractAddress, t.correctsSeq, t.batchSeq),
    check("batch_corrections_later", sql`${t.batchSeq} > ${t.correctsSeq}`),
  ],
);
