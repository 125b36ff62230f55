import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { addressBytes, instant, issuance, pointsSum, pointType } from "./types";

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

/**
 * Changes to a contract that an admin proposes and another admin approves: of its rules, and under a rule also grants and
 * changes of issuance and operator. Each kind uses its own columns.
 */
export const contractChanges = pgTable(
  "contract_changes",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    id: uuid("id").notNull(),
    kind: text("kind").notNull(),
    pointType: pointType("point_type"),
    threshold: pointsSum("threshold"),
    onUnusual: boolean("on_unusual"),
    points: pointsSum("points"),
    issuance: issuance("issuance"),
    /** Null to have no operator. */
    operatorAddress: addressBytes("operator_address"),
    /** The operator that the proposer saw. */
    operatorBefore: addressBytes("operator_before"),
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
    // A contract refers to the approved change that it was last changed by.
    unique("contract_changes_decided").on(t.contractAddress, t.id, t.decision),
    check("contract_changes_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check(
      "contract_changes_operator_length",
      sql`octet_length(${t.operatorAddress}) = 20 and octet_length(${t.operatorBefore}) = 20`,
    ),
    check(
      "contract_changes_kind",
      sql`case ${t.kind}
        when 'RULE' then ${t.pointType} is not null and ${t.onUnusual} is not null
          and num_nonnulls(${t.points}, ${t.issuance}, ${t.operatorAddress}, ${t.operatorBefore}) = 0
        when 'GRANT' then ${t.pointType} is not null and ${t.points} is not null
          and num_nonnulls(${t.threshold}, ${t.onUnusual}, ${t.issuance}, ${t.operatorAddress}, ${t.operatorBefore}) = 0
        when 'ISSUANCE' then ${t.issuance} is not null
          and num_nonnulls(${t.pointType}, ${t.threshold}, ${t.onUnusual}, ${t.points}, ${t.operatorAddress}, ${t.operatorBefore}) = 0
        when 'OPERATOR' then
          num_nonnulls(${t.pointType}, ${t.threshold}, ${t.onUnusual}, ${t.points}, ${t.issuance}) = 0
        else false end`,
    ),
    check("contract_changes_amounts", sql`${t.threshold} > 0 and ${t.points} > 0`),
    check("contract_changes_decision", sql`${t.decision} in ('APPROVED', 'REJECTED', 'WITHDRAWN')`),
    check(
      "contract_changes_whole",
      sql`(${t.decision} is null) = (${t.decidedAt} is null) and (${t.decision} is null) = (${t.decidedBy} is null)`,
    ),
    // Only the proposer withdraws, and only someone else approves or rejects.
    check(
      "contract_changes_second_person",
      sql`(${t.decision} = 'WITHDRAWN') = (${t.decidedBy} = ${t.proposedBy})`,
    ),
    uniqueIndex("contract_changes_open_of_type")
      .on(t.contractAddress, t.kind, t.pointType)
      .where(sql`${t.decision} is null`),
    uniqueIndex("contract_changes_open")
      .on(t.contractAddress, t.kind)
      .where(sql`${t.decision} is null and ${t.pointType} is null`),
    index("contract_changes_by_contract").on(t.contractAddress, t.proposedAt),
  ],
);
