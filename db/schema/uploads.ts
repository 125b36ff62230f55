import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { addressBytes } from "./types";

/** The batches into which the console split one uploaded file. Batches of `/v1` have no row. */
export const batchUploads = pgTable(
  "batch_uploads",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    uploadId: uuid("upload_id").notNull(),
    /** Counted from 1. */
    part: integer("part").notNull(),
    partCount: integer("part_count").notNull(),
    fileName: text("file_name").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    index("batch_uploads_by_upload").on(t.uploadId, t.part),
    check("batch_uploads_part", sql`${t.part} between 1 and ${t.partCount}`),
    check("batch_uploads_file_name_length", sql`length(${t.fileName}) between 1 and 255`),
  ],
);
