import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { addressBytes, bytes, instant, pointsSum, pointsSumList, pointType } from "./types";

/**
 * Who held what at an instant, over all contracts or of one. A row is the request, then the job that takes
 * the snapshot, and then its result, which a trigger keeps from changing. It is kept until somebody deletes
 * it.
 */
export const snapshots = pgTable(
  "snapshots",
  (c) => ({
    id: c.uuid("id").primaryKey(),
    name: c.text("name").notNull(),
    pointType: pointType("point_type").notNull(),
    /** Null for the holdings over all contracts. */
    contractAddress: addressBytes("contract_address"),
    /** Whether registered contracts are holders too. Otherwise `left_out` is what they hold. */
    includesContracts: c.boolean("includes_contracts").notNull(),
    /** Everything finalized at or before this time is in it, and nothing later. */
    asOf: instant("as_of").notNull(),
    status: c.text("status").notNull().default("RUNNING"),
    requestedAt: instant("requested_at").notNull().defaultNow(),
    requestedBy: c.text("requested_by").notNull(),
    /** Of the worker that last began to take it. Only that one can store holders. */
    claimId: c.uuid("claim_id"),
    attempts: c.integer("attempts").notNull().default(0),
    /** What is stored of it so far, and in the end all. */
    holders: c.bigint("holders", { mode: "bigint" }).notNull().default(sql`0`),
    points: pointsSum("points").notNull().default("0"),
    leftOut: pointsSum("left_out"),
    /**
     * Computed apart from the holders: what was issued by then, or what the contract paid and did not take
     * back.
     */
    ledgerTotal: pointsSum("ledger_total"),
    /** SHA-256 of the canonical text (server/snapshots/snapshot-text.ts). */
    digest: bytes("digest"),
    /** Its spread, and its change from the one before. Null if an earlier version took it. */
    figures: c.jsonb("figures"),
    finishedAt: instant("finished_at"),
    failure: c.text("failure"),
  }),
  (t) => [
    check("snapshots_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("snapshots_name_length", sql`char_length(${t.name}) between 1 and 80`),
    check(
      "snapshots_status",
      sql`case ${t.status}
        when 'RUNNING' then
          num_nonnulls(${t.finishedAt}, ${t.failure}, ${t.digest}, ${t.leftOut}, ${t.ledgerTotal}) = 0
        when 'FAILED' then ${t.finishedAt} is not null and ${t.failure} is not null
          and num_nonnulls(${t.digest}, ${t.leftOut}, ${t.ledgerTotal}) = 0
        when 'TAKEN' then ${t.failure} is null
          and num_nulls(${t.finishedAt}, ${t.digest}, ${t.leftOut}, ${t.ledgerTotal}) = 0
        else false end`,
    ),
    check("snapshots_digest_length", sql`octet_length(${t.digest}) = 32`),
    check("snapshots_reconcile", sql`${t.points} + ${t.leftOut} = ${t.ledgerTotal}`),
    uniqueIndex("snapshots_one_running")
      .on(sql`coalesce(${t.contractAddress}, ''::bytea)`, t.pointType)
      .where(sql`${t.status} = 'RUNNING'`),
    index("snapshots_by_contract").on(t.contractAddress, t.requestedAt, t.id),
  ],
);

/**
 * The holders of a snapshot by address, packed like `batch_transfers`: up to 10,000 a row. An address is in
 * the row with the last `first_address` that is not above it. Only rows of a TAKEN snapshot are read.
 */
export const snapshotHolders = pgTable(
  "snapshot_holders",
  {
    /**
     * The snapshot's UUID as 16 bytes: on Citus, tables of one group are distributed by columns of one type.
     */
    snapshotId: bytes("snapshot_id").notNull(),
    firstAddress: addressBytes("first_address").notNull(),
    addresses: bytes("addresses").notNull(),
    points: pointsSumList("points").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.snapshotId, t.firstAddress] }),
    check("snapshot_holders_id_length", sql`octet_length(${t.snapshotId}) = 16`),
    check("snapshot_holders_first", sql`${t.firstAddress} = substring(${t.addresses} for 20)`),
    check(
      "snapshot_holders_pairs",
      sql`cardinality(${t.points}) between 1 and 10000
        and octet_length(${t.addresses}) = 20 * cardinality(${t.points})`,
    ),
    check("snapshot_holders_points", sql`(0 < all (${t.points}) and 'NaN' > all (${t.points})) is true`),
  ],
);
