import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import {
  addressBytes,
  allOf,
  batchStatus,
  bytes,
  byteText,
  instant,
  points,
  pointsList,
  pointsSum,
  pointType,
} from "./types";

export const batches = pgTable(
  "batches",
  (c) => ({
    contractAddress: addressBytes("contract_address").notNull(),
    seq: c.bigint("seq", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    id: c.text("id").notNull(),
    pointType: pointType("point_type").notNull(),
    status: batchStatus("status").notNull().default("PENDING"),
    points: pointsSum("points").notNull(),
    transferCount: c.integer("transfer_count").notNull(),
    waitSeconds: c.integer("wait_seconds").notNull(),
    digest: bytes("digest").notNull(),
    /** Recognizes the same transfers in another order or with another wait. Null on reversals. */
    transfersHash: bytes("transfers_hash"),
    submittedBy: c.text("submitted_by").notNull(),
    /** Who created the token that submitted a batch needing approval, and so must not approve it. */
    tokenCreatedBy: c.text("token_created_by"),
    submitRequestId: c.text("submit_request_id").notNull(),
    /** Whether a POST stored it without a key or ID of the caller. Null if an earlier version stored it. */
    keyless: c.boolean("keyless"),
    createdAt: instant("created_at").notNull(),
    finalizeAt: instant("finalize_at").notNull(),
    updatedAt: instant("updated_at"),
    claimId: c.uuid("claim_id"),
    claimedAt: instant("claimed_at"),
    leaseUntil: instant("lease_until"),
    /** Its claim was rejected or already taken over, so another finalizer takes this batch alone. */
    retryAlone: c.boolean("retry_alone").notNull().default(false),
    finalizedAt: instant("finalized_at"),
    cancelledAt: instant("cancelled_at"),
    cancelledBy: c.text("cancelled_by"),
    cancelReason: c.text("cancel_reason"),
    cancelRequestId: c.text("cancel_request_id"),
    /** On hold: the batch is not claimed, even if overdue. A cancelled batch keeps these columns. */
    heldAt: instant("held_at"),
    heldBy: c.text("held_by"),
    holdReason: c.text("hold_reason"),
    /** On hold from its submit until its whole payout is released. */
    heldForPayout: c.boolean("held_for_payout").notNull().default(false),
    /** Meanwhile a person put it on hold, so the release of its payout leaves it on hold. */
    heldApart: c.boolean("held_apart").notNull().default(false),
    /** Why a second person must approve the batch, or null. Changes only when the review is done. */
    approvalNeed: c.text("approval_need"),
    /** The batch is not claimed, even if overdue. A cancelled batch keeps these columns. */
    awaitsApproval: c.boolean("awaits_approval").notNull().default(false),
    approvedAt: instant("approved_at"),
    approvedBy: c.text("approved_by"),
    /** On a reversal: the batch that it takes back. Its transfers are what recipients give up. */
    reversesSeq: c.bigint("reverses_seq", { mode: "bigint" }),
    reversalReason: c.text("reversal_reason"),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.seq] }),
    check("batches_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("batches_digest_length", sql`octet_length(${t.digest}) = 32`),
    check("batches_points", sql`${t.points} > 0`),
    check("batches_transfer_count", sql`${t.transferCount} > 0`),
    check(
      "batches_status_times",
      sql`(${t.status} = 'FINALIZED') = (${t.finalizedAt} is not null)
        and (${t.status} = 'CANCELLED') = (${t.cancelledAt} is not null)
        and (${t.status} = 'FINALIZING') = (${t.leaseUntil} is not null)
        and (${t.status} = 'PENDING') = (${t.updatedAt} is null)`,
    ),
    check("batches_held", sql`${t.heldAt} is null or ${t.status} in ('PENDING', 'CANCELLED')`),
    check(
      "batches_hold_whole",
      allOf(
        sql`(${t.heldAt} is null) = (${t.heldBy} is null)`,
        sql`(${t.heldAt} is null) = (${t.holdReason} is null)`,
      ),
    ),
    check("batches_held_for_payout", sql`not ${t.heldForPayout} or ${t.heldAt} is not null`),
    check(
      "batches_approval_need",
      sql`${t.approvalNeed} in ('THRESHOLD', 'DAY', 'REVIEW', 'UNUSUAL', 'NOT_REVIEWED')`,
    ),
    check(
      "batches_awaits_approval",
      sql`${t.awaitsApproval} = (${t.approvalNeed} is not null and ${t.approvedAt} is null)
        and (not ${t.awaitsApproval} or ${t.status} in ('PENDING', 'CANCELLED'))`,
    ),
    check(
      "batches_second_person",
      allOf(
        sql`(${t.approvedAt} is null) = (${t.approvedBy} is null)`,
        sql`(${t.approvedAt} is null or ${t.approvalNeed} is not null)
        and (${t.approvedBy} is null or ${t.approvedBy} <> ${t.submittedBy})`,
      ),
    ),
    check("batches_token_creator", sql`${t.approvedBy} <> ${t.tokenCreatedBy}`),
    check("batches_reversal_later", sql`${t.seq} > ${t.reversesSeq}`),
    check("batches_reversal_reason", sql`${t.reversalReason} is null or ${t.reversesSeq} is not null`),
    // Compared by bytes, so that it also finds the start of an id.
    uniqueIndex("batches_id_once").on(t.contractAddress, t.id.op("text_pattern_ops")),
    index("batches_by_reversed")
      .on(t.contractAddress, t.reversesSeq, t.seq)
      .where(sql`${t.reversesSeq} is not null`),
    // The order of each of these two is of no other index: "nulls first" makes the first one differ from
    // those that also begin with the contract. So Postgres has no choice in a list of one contract
    // (readContract in server/batches/list).
    index("batches_of_contract").on(t.contractAddress.asc().nullsFirst(), t.createdAt, t.seq),
    index("batches_by_type_contract_status").on(t.pointType, t.contractAddress, t.status, t.createdAt, t.seq),
    // Like the one above, for all contracts. Every subset of types and statuses is at most eight ranges.
    index("batches_by_status_type").on(t.status, t.pointType, t.createdAt, t.seq),
    index("batches_by_creation").on(t.createdAt, t.seq),
    index("batches_by_transfers_hash").using("hash", t.transfersHash),
    index("batches_due")
      .on(t.finalizeAt, t.contractAddress, t.seq)
      .where(sql`${t.status} = 'PENDING' and ${t.heldAt} is null and not ${t.awaitsApproval}`),
    index("batches_blocked")
      .on(t.finalizeAt, t.seq)
      .where(sql`${t.status} = 'PENDING' and (${t.heldAt} is not null or ${t.awaitsApproval})`),
    index("batches_finalized").on(t.finalizedAt).where(sql`${t.status} = 'FINALIZED'`),
    // A contract's statement and export of a month each read one range. Batches of one run share a time.
    index("batches_contract_finalized")
      .on(t.contractAddress, t.finalizedAt)
      .where(sql`${t.status} = 'FINALIZED'`),
    // With the sequence number, because a search by recipient looks up cancelled batches in it.
    index("batches_by_contract_cancelled")
      .on(t.contractAddress, t.cancelledAt, t.seq)
      .where(sql`${t.status} = 'CANCELLED'`),
    index("batches_leased").on(t.leaseUntil).where(sql`${t.status} = 'FINALIZING'`),
  ],
);

/** The key of the batch that a row of another table belongs to. */
const batchKey = {
  contractAddress: addressBytes("contract_address").notNull(),
  batchSeq: bigint("batch_seq", { mode: "bigint" }).notNull(),
};

/**
 * The transfers of a batch in one packed row. They are never read one by one, and a row for each took over
 * half the time of a submit. Addresses are 20 bytes each, concatenated, in the same order as the amounts.
 * There is no foreign key, because only the statement that creates the batch writes this row. The ledger
 * self-check verifies that.
 */
export const batchTransfers = pgTable(
  "batch_transfers",
  {
    ...batchKey,
    addresses: bytes("addresses").notNull(),
    points: pointsList("points").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.batchSeq, t.contractAddress] }),
    check("batch_transfers_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("batch_transfers_not_empty", sql`cardinality(${t.points}) > 0`),
    check("batch_transfers_pairs", sql`octet_length(${t.addresses}) = 20 * cardinality(${t.points})`),
    // `is true` also rejects null amounts. Postgres sorts NaN above every number.
    check("batch_transfers_points", sql`(0 < all (${t.points}) and 'NaN' > all (${t.points})) is true`),
  ],
);

/**
 * What a transfer pays for, as its caller named it: a row per transfer with a reference. A reference is live
 * in one batch of its contract. A submit that pays it again frees it if its batch was cancelled or its
 * transfer taken back (server/batches/submit/references.ts), so cancels and reversals write nothing here.
 */
export const transferReferences = pgTable(
  "transfer_references",
  (c) => ({
    ...batchKey,
    /** Of the transfer in its batch, from 0. */
    position: c.integer("position").notNull(),
    reference: byteText("reference").notNull(),
    isLive: c.boolean("is_live").notNull().default(true),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq, t.position] }),
    uniqueIndex("transfer_references_live_once").on(t.contractAddress, t.reference).where(sql`${t.isLive}`),
    index("transfer_references_freed").on(t.contractAddress, t.reference).where(sql`not ${t.isLive}`),
    check("transfer_references_length", sql`octet_length(${t.reference}) between 1 and 64`),
  ],
);

/**
 * What callers say about a batch: a row per key, only where it was given. With the batch's creation time, so
 * that a list of those with a key and value is a range of an index, for a contract or for all of them.
 */
export const batchMetadata = pgTable(
  "batch_metadata",
  {
    ...batchKey,
    key: byteText("key").notNull(),
    value: byteText("value").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq, t.key] }),
    index("batch_metadata_of_contract").on(t.key, t.value, t.contractAddress, t.createdAt, t.batchSeq),
    index("batch_metadata_by_creation").on(t.key, t.value, t.createdAt, t.batchSeq, t.contractAddress),
    check("batch_metadata_key_length", sql`octet_length(${t.key}) between 1 and 40`),
    check("batch_metadata_value_length", sql`char_length(${t.value}) between 1 and 200`),
  ],
);

/** Batches that staff sent in place of a cancelled one. A file of several batches has a row for each. */
export const batchCorrections = pgTable(
  "batch_corrections",
  (c) => ({
    ...batchKey,
    correctsSeq: c.bigint("corrects_seq", { mode: "bigint" }).notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    index("batch_corrections_by_cancelled").on(t.contractAddress, t.correctsSeq, t.batchSeq),
    check("batch_corrections_later", sql`${t.batchSeq} > ${t.correctsSeq}`),
  ],
);

/** The Merkle root of a FINALIZED batch, from the first request that needed it. */
export const batchRoots = pgTable(
  "batch_roots",
  {
    ...batchKey,
    root: bytes("root").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    check("batch_roots_length", sql`octet_length(${t.root}) = 32`),
  ],
);

/** Transfers that are or will be taken back, each by one reversal. Cancelling that one deletes its rows. */
export const reversedTransfers = pgTable(
  "reversed_transfers",
  (c) => ({
    ...batchKey,
    toAddress: addressBytes("to_address").notNull(),
    reversalSeq: c.bigint("reversal_seq", { mode: "bigint" }).notNull(),
    points: points("points").notNull(),
  }),
  (t) => [
    primaryKey({ name: "reversed_transfers_once", columns: [t.contractAddress, t.batchSeq, t.toAddress] }),
    // What was taken back from an address, also before it is in the recipient index.
    index("reversed_transfers_by_recipient").on(t.toAddress, t.reversalSeq),
    check("reversed_transfers_points", sql`${t.points} > 0`),
    check("reversed_transfers_address_length", sql`octet_length(${t.toAddress}) = 20`),
    check("reversed_transfers_later", sql`${t.reversalSeq} > ${t.batchSeq}`),
  ],
);

/** Batches whose review found something unusual, written outside the submit path (server/batches/review). */
export const batchReviews = pgTable(
  "batch_reviews",
  (c) => ({
    ...batchKey,
    /** The batch's creation time, so that the list can page through unusual batches. */
    createdAt: instant("created_at").notNull(),
    level: c.text("level").notNull(),
    findings: c.jsonb("findings").notNull(),
    reviewedAt: instant("reviewed_at").notNull(),
    /**
     * When the batch is due, if its findings start an alert; otherwise null. Earlier versions do not write
     * it: during an upgrade their reviews count as due last, so that no alert is missed.
     */
    dueAt: instant("due_at").default(sql`'infinity'`),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    check("batch_reviews_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("batch_reviews_level", sql`${t.level} in ('unusual', 'alarming')`),
    index("batch_reviews_by_creation").on(t.createdAt, t.batchSeq),
    index("batch_reviews_by_contract").on(t.contractAddress, t.createdAt, t.batchSeq),
    index("batch_reviews_by_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);

/** At most one row: the batch up to which all batches have been reviewed. No row before the first review. */
export const reviewProgress = pgTable("review_progress", (c) => ({
  singleton: c.boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: c.bigint("batch_seq", { mode: "bigint" }).notNull(),
}));

/**
 * The batches of payouts. A payout is all batches of a contract with the same payout ID: the parts of a file
 * that the console split, or what a caller of `/v1` names so. Those of `/v1` have no part and no file.
 */
export const payoutParts = pgTable(
  "payout_parts",
  (c) => ({
    ...batchKey,
    payoutId: byteText("payout_id").notNull(),
    part: c.integer("part"),
    partCount: c.integer("part_count"),
    fileName: c.text("file_name"),
    /** Which columns of the file were paid; null for a batch that an earlier version submitted. */
    readAs: c.text("read_as"),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    index("payout_parts_by_payout").on(t.contractAddress, t.payoutId, t.batchSeq),
    // The latest files, among which the search finds one by its name.
    index("payout_parts_of_files").on(t.batchSeq).where(sql`${t.part} = 1`),
    check("payout_parts_id_length", sql`octet_length(${t.payoutId}) between 1 and 64`),
    check("payout_parts_whole", sql`num_nulls(${t.part}, ${t.partCount}, ${t.fileName}) in (0, 3)`),
    check("payout_parts_part", sql`${t.part} between 1 and ${t.partCount}`),
    check("payout_parts_file_name_length", sql`length(${t.fileName}) between 1 and 255`),
  ],
);

/** What `payoutParts` replaced. Only the previous version uses it, so the next one can drop it. */
export const batchUploads = pgTable(
  "batch_uploads",
  (c) => ({
    ...batchKey,
    uploadId: c.uuid("upload_id").notNull(),
    part: c.integer("part").notNull(),
    partCount: c.integer("part_count").notNull(),
    fileName: c.text("file_name").notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.batchSeq] }),
    index("batch_uploads_by_upload").on(t.uploadId, t.part),
    check("batch_uploads_part", sql`${t.part} between 1 and ${t.partCount}`),
    check("batch_uploads_file_name_length", sql`length(${t.fileName}) between 1 and 255`),
  ],
);

/** Transfers by recipient, copied from `batch_transfers` outside the submit path (server/recipients). */
export const recipientTransfers = pgTable(
  "recipient_transfers",
  {
    toAddress: addressBytes("to_address").notNull(),
    createdAt: instant("created_at").notNull(),
    ...batchKey,
    points: points("points").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.toAddress, t.createdAt, t.batchSeq, t.contractAddress] }),
    // Only a few pages, because rows are in batch order. The self-check reads ranges of it.
    index("recipient_transfers_by_batch").using("brin", t.batchSeq),
  ],
);

/** Names that staff give addresses; the audit log has who did. A contract's own label is in `contracts`. */
export const recipientLabels = pgTable(
  "recipient_labels",
  (c) => ({ address: addressBytes("address").primaryKey(), label: c.text("label").notNull() }),
  (t) => [
    check("recipient_labels_address_length", sql`octet_length(${t.address}) = 20`),
    check("recipient_labels_label_length", sql`char_length(${t.label}) between 1 and 80`),
  ],
);

/** A single row with the batch up to which `recipient_transfers` is complete. */
export const recipientProgress = pgTable("recipient_progress", (c) => ({
  singleton: c.boolean("singleton").primaryKey().default(true),
  createdAt: instant("created_at").notNull(),
  batchSeq: c.bigint("batch_seq", { mode: "bigint" }).notNull(),
}));
