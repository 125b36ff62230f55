import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { addressBytes, instant, pointsSum, pointType } from "./types";

/** Results of the ledger's self-check, each of one snapshot. */
export const ledgerChecks = pgTable(
  "ledger_checks",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    startedBy: text("started_by").notNull(),
    /** `whole`: every rule over everything; `incremental`: what is new, and a slice of what is old. */
    reach: text("reach").notNull().default("whole"),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at").notNull().defaultNow(),
    isOk: boolean("is_ok").notNull(),
    batches: bigint("batches", { mode: "bigint" }).notNull(),
    transfers: bigint("transfers", { mode: "bigint" }).notNull(),
    accounts: bigint("accounts", { mode: "bigint" }).notNull(),
    /** The first findings of each broken rule. */
    findings: jsonb("findings").$type<{ rule: string; detail: string }[]>().notNull().default([]),
  },
  (t) => [
    index("ledger_checks_by_time").on(t.finishedAt),
    check("ledger_checks_reach", sql`${t.reach} in ('whole', 'incremental')`),
  ],
);

/** The one row says where the incremental self-check stands. */
export const ledgerCheckpoint = pgTable("ledger_checkpoint", {
  singleton: boolean("singleton").primaryKey().default(true),
  /** `ledger_checkpoint_accounts` holds what was settled and issued up to here, and nothing later. */
  horizon: instant("horizon").notNull(),
  /** Every issuance made after the horizon has a greater id. */
  issuanceId: bigint("issuance_id", { mode: "bigint" }).notNull(),
  /** A round is cut into so many slices, one a check: each has a range of sequences and a range of addresses. */
  slices: integer("slices").notNull(),
  slicesDone: integer("slices_done").notNull().default(0),
  /** Greatest sequence of a batch when the round began. */
  batchSeqMax: bigint("batch_seq_max", { mode: "bigint" }).notNull(),
  roundStartedAt: instant("round_started_at").notNull(),
  /** When everything old had last been looked at again. */
  roundFinishedAt: instant("round_finished_at").notNull(),
});

/** Balances that were checked, as of the checkpoint's horizon: the next check adds what was settled since. */
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
