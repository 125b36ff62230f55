import { sql } from "drizzle-orm";
import { bigint, check, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { addressBytes, bytes } from "./types";

/** The Merkle root of a FINALIZED batch, from the first request that needed it. */
export const batchRoots = pgTable(
  "batch_roots",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
    root: bytes("root").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    check("batch_roots_length", sql`octet_length(${t.root}) = 32`),
  ],
);
