import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { addressBytes, bytes, instant, pointsSum, pointType } from "./types";

export const ledgerChecks = pgTable(
  "ledger_checks",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    startedBy: text("started_by").notNull(),
    /** `whole`: all data. `incremental`: new data and a slice of old data. */
    reach: text("reach").notNull().default("whole"),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at").notNull().defaultNow(),
    isOk: boolean("is_ok").notNull(),
    batches: bigint("batches", { mode: "bigint" }).notNull(),
    transfers: bigint("transfers", { mode: "bigint" }).notNull(),
    accounts: bigint("accounts", { mode: "bigint" }).notNull(),
    /** Sums of all accounts per point type, for the public books. Null if the check did not complete. */
    totals: jsonb("totals"),
    /** The first findings of each broken rule. */
    findings: jsonb("findings").$type<{ rule: string; detail: string }[]>().notNull().default([]),
  },
  (t) => [
    index("ledger_checks_by_time").on(t.finishedAt),
    check("ledger_checks_reach", sql`${t.reach} in ('whole', 'incremental')`),
  ],
);

/** A single row with the state of the incremental self-check. */
export const ledgerCheckpoint = pgTable("ledger_checkpoint", {
  singleton: boolean("singleton").primaryKey().default(true),
  /** `ledger_checkpoint_accounts` includes everything settled and issued up to this time, and nothing later. */
  horizon: instant("horizon").notNull(),
  /** Every issuance after the horizon has a higher id. */
  issuanceId: bigint("issuance_id", { mode: "bigint" }).notNull(),
  /** Slices per round, one per check. Each has a range of batch sequences and a range of addresses. */
  slices: integer("slices").notNull(),
  slicesDone: integer("slices_done").notNull().default(0),
  /** Highest batch sequence when the round started. */
  batchSeqMax: bigint("batch_seq_max", { mode: "bigint" }).notNull(),
  roundStartedAt: instant("round_started_at").notNull(),
  /** When the last round over all old data finished. */
  roundFinishedAt: instant("round_finished_at").notNull(),
});

/** Checked balances as of the checkpoint's horizon. The next check adds what was settled since. */
export const ledgerCheckpointAccounts = pgTable(
  "ledger_checkpoint_accounts",
  {
    address: addressBytes("address").notNull(),
    pointType: pointType("point_type").notNull(),
    earned: pointsSum("earned").notNull(),
    received: pointsSum("received").notNull(),
    sent: pointsSum("sent").notNull(),
  },
  (t) => [primaryKey({ columns: [t.address, t.pointType] })],
);

/** The hash chain over days: one link per UTC day, written once the day is over and never changed (docs/books.md). */
export const ledgerDays = pgTable(
  "ledger_days",
  {
    day: date("day").primaryKey(),
    /** The hash of the day before; zeros in the first link. */
    previousHash: bytes("previous_hash").notNull(),
    /** What was issued, submitted, cancelled and finalized on the day. Amounts as in the API. */
    totals: jsonb("totals").notNull(),
    hash: bytes("hash").notNull(),
  },
  (t) => [
    check("ledger_days_hashes", sql`octet_length(${t.previousHash}) = 32 and octet_length(${t.hash}) = 32`),
  ],
);

/** One row per finalizer run that finalized something or failed. */
export const finalizerRuns = pgTable(
  "finalizer_runs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    startedBy: text("started_by").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at").notNull().defaultNow(),
    batchesFinalized: integer("batches_finalized").notNull(),
    transfersSettled: integer("transfers_settled").notNull(),
    lagSecondsMax: integer("lag_seconds_max").notNull(),
    failure: text("failure"),
  },
  (t) => [index("finalizer_runs_by_time").on(t.finishedAt)],
);

/** A single row with the time of the last finalizer run and the totals settled. */
export const finalizerHeartbeat = pgTable("finalizer_heartbeat", {
  singleton: boolean("singleton").primaryKey().default(true),
  lastTickAt: instant("last_tick_at").notNull(),
  batchesFinalized: bigint("batches_finalized", { mode: "bigint" }).notNull().default(sql`0`),
  transfersSettled: bigint("transfers_settled", { mode: "bigint" }).notNull().default(sql`0`),
});
