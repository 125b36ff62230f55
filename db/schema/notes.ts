import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { addressBytes, instant } from "./types";

/** Staff's notes on batches. The text is stored only here, so that a deleted note is gone. */
export const batchNotes = pgTable(
  "batch_notes",
  {
    id: uuid("id").primaryKey(),
    contractAddress: addressBytes("contract_address").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
    writtenBy: text("written_by").notNull(),
    text: text("text").notNull(),
  },
  (t) => [
    index("batch_notes_by_batch").on(t.contractAddress, t.batchSeq, t.createdAt),
    check("batch_notes_text_length", sql`char_length(${t.text}) between 1 and 1000`),
  ],
);
