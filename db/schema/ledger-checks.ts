import { bigint, boolean, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./types";

/** Results of the ledger's self-check: every rule, over everything, in one snapshot. */
export const ledgerChecks = pgTable(
  "ledger_checks",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    startedBy: text("started_by").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at").notNull().defaultNow(),
    isOk: boolean("is_ok").notNull(),
    batches: bigint("batches", { mode: "bigint" }).notNull(),
    transfers: bigint("transfers", { mode: "bigint" }).notNull(),
    accounts: bigint("accounts", { mode: "bigint" }).notNull(),
    /** The first findings of each broken rule. */
    findings: jsonb("findings").$type<{ rule: string; detail: string }[]>().notNull().default([]),
  },
  (t) => [index("ledger_checks_by_time").on(t.finishedAt)],
);
