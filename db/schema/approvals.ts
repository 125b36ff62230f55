import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { addressBytes, instant, pointsSum, pointType } from "./types";

/** Which new batches of a contract need a second person's approval. Without a row, none does. */
export const approvalRules = pgTable(
  "approval_rules",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    pointType: pointType("point_type").notNull(),
    /** A batch of at least this much needs approval. Null for no such limit. */
    threshold: pointsSum("threshold"),
    /** A batch waits for its review, and needs approval if the review finds something unusual. */
    onUnusual: boolean("on_unusual").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.pointType] }),
    check("approval_rules_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("approval_rules_threshold", sql`${t.threshold} > 0`),
  ],
);

/** Changes of these rules, which an admin proposes and another admin approves. */
export const approvalRuleChanges = pgTable(
  "approval_rule_changes",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    id: uuid("id").notNull(),
    pointType: pointType("point_type").notNull(),
    threshold: pointsSum("threshold"),
    onUnusual: boolean("on_unusual").notNull(),
    reason: text("reason").notNull(),
    proposedAt: instant("proposed_at").notNull().defaultNow(),
    proposedBy: text("proposed_by").notNull(),
    decision: text("decision"),
    decidedAt: instant("decided_at"),
    decidedBy: text("decided_by"),
    decisionReason: text("decision_reason"),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.id] }),
    check("approval_rule_changes_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("approval_rule_changes_threshold", sql`${t.threshold} > 0`),
    check("approval_rule_changes_decision", sql`${t.decision} in ('APPROVED', 'REJECTED', 'WITHDRAWN')`),
    check(
      "approval_rule_changes_whole",
      sql`(${t.decision} is null) = (${t.decidedAt} is null) and (${t.decision} is null) = (${t.decidedBy} is null)`,
    ),
    // The proposer withdraws; only somebody else approves or rejects.
    check(
      "approval_rule_changes_second_person",
      sql`(${t.decision} = 'WITHDRAWN') = (${t.decidedBy} = ${t.proposedBy})`,
    ),
    uniqueIndex("approval_rule_changes_open")
      .on(t.contractAddress, t.pointType)
      .where(sql`${t.decision} is null`),
    index("approval_rule_changes_by_contract").on(t.contractAddress, t.proposedAt),
  ],
);
