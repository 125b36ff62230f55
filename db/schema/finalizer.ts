import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./types";

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
