import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, unique } from "drizzle-orm/pg-core";
import { snapshots } from "./snapshots";
import { addressBytes, allOf, baseUnits, baseUnitsList, bytes, instant, tokenRate } from "./types";

/** 2^256, which no amount in a contract reaches. */
const UNITS_END = sql.raw("115792089237316195423570985008687907853269984665640564039457584007913129639936");

/**
 * A snapshot's holdings turned into amounts of a token by a rule. A row is the request, then the job that
 * makes the claims, and then its result. Until it is published it can be deleted. From then on a trigger
 * keeps it from changing, and its snapshot from being deleted.
 */
export const allocations = pgTable(
  "allocations",
  (c) => ({
    id: c.uuid("id").primaryKey(),
    snapshotId: c
      .uuid("snapshot_id")
      .notNull()
      .references(() => snapshots.id),
    name: c.text("name").notNull(),
    rule: c.text("rule").notNull(),
    /** Of PRO_RATA: what is shared. */
    total: baseUnits("total"),
    /** Of FIXED_RATE: tokens per point. */
    rate: tokenRate("rate"),
    /** Who pays it out, and so what its amounts are of. Null for one that was made before this was asked. */
    payer: c.text("payer"),
    /** Decimal places of the token. All amounts are in its base units. */
    decimals: c.integer("decimals").notNull(),
    /** Holders whose exact share is below it get nothing. */
    minimum: baseUnits("minimum").notNull(),
    /** Addresses that get nothing, 20 bytes each. */
    excluded: bytes("excluded").notNull(),
    status: c.text("status").notNull().default("RUNNING"),
    requestedAt: instant("requested_at").notNull().defaultNow(),
    requestedBy: c.text("requested_by").notNull(),
    /** Of the worker that last began to make it. Only that one can finish it. */
    workerId: c.uuid("worker_id"),
    attempts: c.integer("attempts").notNull().default(0),
    claims: c.integer("claims"),
    /** Holders of the snapshot that have no claim. */
    withoutClaim: c.bigint("without_claim", { mode: "bigint" }),
    sum: baseUnits("sum"),
    dust: baseUnits("dust"),
    smallest: baseUnits("smallest"),
    median: baseUnits("median"),
    largest: baseUnits("largest"),
    /** Merkle roots of the claims, by who reads them. The nodes are those of the first. */
    root: bytes("root"),
    uniswapRoot: bytes("uniswap_root"),
    /** Null where Sablier refuses such claims. */
    sablierRoot: bytes("sablier_root"),
    finishedAt: instant("finished_at"),
    failure: c.text("failure"),
    publishedAt: instant("published_at"),
    publishedBy: c.text("published_by"),
  }),
  (t) => [
    check("allocations_name_length", sql`char_length(${t.name}) between 1 and 80`),
    check(
      "allocations_rule",
      sql`case ${t.rule}
        when 'PRO_RATA' then ${t.total} is not null and ${t.rate} is null
        when 'FIXED_RATE' then ${t.rate} is not null and ${t.total} is null
        else false end`,
    ),
    check("allocations_total", sql`${t.total} > 0 and ${t.total} < ${UNITS_END}`),
    check("allocations_rate", sql`${t.rate} > 0 and ${t.rate} < 'NaN'`),
    check("allocations_payer", sql`char_length(${t.payer}) between 1 and 32`),
    check("allocations_decimals", sql`${t.decimals} between 0 and 36`),
    check("allocations_minimum", sql`${t.minimum} > 0 and ${t.minimum} < ${UNITS_END}`),
    check(
      "allocations_excluded",
      sql`mod(octet_length(${t.excluded}), 20) = 0 and octet_length(${t.excluded}) <= 200000`,
    ),
    check(
      "allocations_status",
      sql`case ${t.status}
        when 'RUNNING' then num_nonnulls(${t.finishedAt}, ${t.failure}, ${t.claims}, ${t.publishedAt}) = 0
        when 'FAILED' then ${t.finishedAt} is not null and ${t.failure} is not null
          and num_nonnulls(${t.claims}, ${t.publishedAt}) = 0
        when 'READY' then ${t.finishedAt} is not null and ${t.failure} is null
          and num_nulls(${t.claims}, ${t.root}, ${t.uniswapRoot}) = 0
        else false end`,
    ),
    check(
      "allocations_result",
      sql`num_nulls(${t.claims}, ${t.withoutClaim}, ${t.sum}, ${t.dust}, ${t.smallest}, ${t.median},
        ${t.largest}) in (0, 7)`,
    ),
    check("allocations_sum", sql`${t.claims} > 0 and ${t.sum} > 0 and ${t.sum} < ${UNITS_END}`),
    check("allocations_whole", sql`${t.rule} <> 'PRO_RATA' or ${t.sum} = ${t.total}`),
    check(
      "allocations_roots_length",
      allOf(
        sql`octet_length(${t.root}) = 32`,
        sql`octet_length(${t.uniswapRoot}) = 32`,
        sql`octet_length(${t.sablierRoot}) = 32`,
      ),
    ),
    check("allocations_published", sql`(${t.publishedAt} is null) = (${t.publishedBy} is null)`),
    index("allocations_by_snapshot").on(t.snapshotId, t.requestedAt, t.id),
  ],
);

/**
 * The claims of an allocation by address, packed: 1,000 a row, and fewer only in the last. So an added row
 * has either a taken `first_index` or one beyond the last claim, where nothing reads.
 */
export const allocationClaims = pgTable(
  "allocation_claims",
  (c) => ({
    /** The allocation's UUID as 16 bytes, as in `snapshot_holders`. */
    allocationId: bytes("allocation_id").notNull(),
    /** Place of the row's first claim among all of them. */
    firstIndex: c.integer("first_index").notNull(),
    firstAddress: addressBytes("first_address").notNull(),
    addresses: bytes("addresses").notNull(),
    amounts: baseUnitsList("amounts").notNull(),
    /** The place of each claim's leaf among the nodes. Null until the tree is made. */
    positions: c.integer("positions").array(),
    isPublished: c.boolean("is_published").notNull().default(false),
  }),
  (t) => [
    primaryKey({ columns: [t.allocationId, t.firstIndex] }),
    unique("allocation_claims_by_address").on(t.allocationId, t.firstAddress),
    check("allocation_claims_id_length", sql`octet_length(${t.allocationId}) = 16`),
    check("allocation_claims_first_index", sql`${t.firstIndex} >= 0 and mod(${t.firstIndex}, 1000) = 0`),
    check("allocation_claims_first_address", sql`${t.firstAddress} = substring(${t.addresses} for 20)`),
    check(
      "allocation_claims_pairs",
      sql`cardinality(${t.amounts}) between 1 and 1000
        and octet_length(${t.addresses}) = 20 * cardinality(${t.amounts})
        and cardinality(${t.positions}) = cardinality(${t.amounts})`,
    ),
    check(
      "allocation_claims_amounts",
      sql`(0 < all (${t.amounts}) and ${UNITS_END} > all (${t.amounts})) is true`,
    ),
    check("allocation_claims_complete", sql`${t.positions} is not null or not ${t.isPublished}`),
  ],
);

/**
 * The nodes of an allocation's Merkle tree from the root down, 32 a row. A proof reads about one row for each
 * level, and rows of this size are stored in line.
 */
export const allocationNodes = pgTable(
  "allocation_nodes",
  (c) => ({
    allocationId: bytes("allocation_id").notNull(),
    firstNode: c.integer("first_node").notNull(),
    hashes: bytes("hashes").notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.allocationId, t.firstNode] }),
    check("allocation_nodes_id_length", sql`octet_length(${t.allocationId}) = 16`),
    check("allocation_nodes_first_node", sql`${t.firstNode} >= 0 and mod(${t.firstNode}, 32) = 0`),
    check(
      "allocation_nodes_hashes",
      sql`octet_length(${t.hashes}) between 32 and 1024 and mod(octet_length(${t.hashes}), 32) = 0`,
    ),
  ],
);
