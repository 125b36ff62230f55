import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { addressBytes, allOf, instant, issuance, pointsSum, pointType } from "./types";

/** What an approved change allows, and when. A function, because the tables come before and after. */
const effectOfChange = (): [AnyPgColumn, AnyPgColumn, AnyPgColumn, AnyPgColumn] => {
  const { contractAddress, id, effect, decidedAt } = contractChanges;
  return [contractAddress, id, effect, decidedAt];
};

/** Which new batches of a contract need a second person's approval. Without a row, none does. */
export const approvalRules = pgTable(
  "approval_rules",
  (c) => ({
    contractAddress: addressBytes("contract_address").notNull(),
    pointType: pointType("point_type").notNull(),
    /** A batch of at least this much needs approval. Null for no such limit. */
    threshold: pointsSum("threshold"),
    /** A batch waits for its review, and needs approval if the review finds something unusual. */
    onUnusual: c.boolean("on_unusual").notNull(),
    /** A batch needs approval if it would bring what passed without one on a UTC day to this much. */
    dayThreshold: pointsSum("day_threshold"),
    /** The latest day on which a batch was counted, and what passed on it. */
    day: c.date("day"),
    dayPoints: pointsSum("day_points").notNull().default("0"),
    /** The approved change that last set this rule: its `effect` and `decided_at`. */
    appliedChangeId: c.uuid("applied_change_id"),
    appliedEffect: c.text("applied_effect"),
    appliedAt: instant("applied_at"),
  }),
  (t) => [
    check("approval_rules_day_threshold", sql`${t.dayThreshold} > 0`),
    check(
      "approval_rules_applied_change_whole",
      sql`num_nulls(${t.appliedChangeId}, ${t.appliedEffect}, ${t.appliedAt}) in (0, 3)`,
    ),
    check(
      "approval_rules_applied_effect",
      sql`${t.appliedEffect} = 'RULE ' || ${t.pointType}::text || ' ' || coalesce(${t.threshold}::text, '-') || ' '
        || coalesce(${t.dayThreshold}::text, '-') || ' ' || ${t.onUnusual}::text`,
    ),
    foreignKey({
      name: "approval_rules_applied_change",
      columns: [t.contractAddress, t.appliedChangeId, t.appliedEffect, t.appliedAt],
      foreignColumns: effectOfChange(),
    }),
    primaryKey({ columns: [t.contractAddress, t.pointType] }),
    check("approval_rules_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("approval_rules_threshold", sql`${t.threshold} > 0`),
  ],
);

// A generated column must be immutable, which a cast of an enum to text is not.
const pointTypeText = sql.raw(
  "case point_type when 'PHASE2_POINTS' then 'PHASE2_POINTS' when 'PHASE2_GOLD' then 'PHASE2_GOLD' end",
);
const issuanceText = sql.raw(
  "case issuance when 'ON_DEMAND' then 'ON_DEMAND' when 'PREFUNDED' then 'PREFUNDED' end",
);

/**
 * Changes to a contract that an admin proposes and another admin approves: of its rules, and under a rule
 * also grants and changes of issuance and operator. Each kind uses its own columns.
 */
export const contractChanges = pgTable(
  "contract_changes",
  (c) => ({
    contractAddress: addressBytes("contract_address").notNull(),
    id: c.uuid("id").notNull(),
    kind: c.text("kind").notNull(),
    pointType: pointType("point_type"),
    threshold: pointsSum("threshold"),
    onUnusual: c.boolean("on_unusual"),
    dayThreshold: pointsSum("day_threshold"),
    points: pointsSum("points"),
    issuance: issuance("issuance"),
    operatorAddress: addressBytes("operator_address"),
    /** The operator that the proposer saw. */
    operatorBefore: addressBytes("operator_before"),
    /** A default wait. Such a change has no effect as a text: only one of this kind has none. */
    waitSeconds: c.integer("wait_seconds"),
    reason: c.text("reason").notNull(),
    proposedAt: instant("proposed_at").notNull().defaultNow(),
    proposedBy: c.text("proposed_by").notNull(),
    decision: c.text("decision"),
    decidedAt: instant("decided_at"),
    decidedBy: c.text("decided_by"),
    decisionReason: c.text("decision_reason"),
    /** Exactly what an approved change may do; null unless approved. What it changed refers to it. */
    effect: c.text("effect").generatedAlwaysAs(
      sql`case when decision = 'APPROVED' then case kind
        when 'RULE' then 'RULE ' || ${pointTypeText}
          || ' ' || coalesce(threshold::text, '-') || ' ' || coalesce(day_threshold::text, '-') || ' ' || on_unusual::text
        when 'GRANT' then 'GRANT ' || ${pointTypeText}
          || ' ' || points::text
        when 'ISSUANCE' then 'ISSUANCE ' || ${issuanceText}
        when 'OPERATOR' then 'OPERATOR ' || coalesce(encode(operator_address, 'hex'), '-') end end`,
    ),
  }),
  (t) => [
    unique("contract_changes_effect").on(t.contractAddress, t.id, t.effect, t.decidedAt),
    check(
      "contract_changes_day_threshold",
      sql`${t.dayThreshold} > 0 and (${t.dayThreshold} is null or ${t.kind} = 'RULE')`,
    ),
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
        when 'WAIT' then num_nonnulls(${t.pointType}, ${t.threshold}, ${t.onUnusual}, ${t.points},
          ${t.issuance}, ${t.operatorAddress}, ${t.operatorBefore}) = 0
        else false end`,
    ),
    check("contract_changes_wait", sql`(${t.kind} = 'WAIT') = (${t.waitSeconds} is not null)`),
    check("contract_changes_amounts", sql`${t.threshold} > 0 and ${t.points} > 0`),
    check("contract_changes_decision", sql`${t.decision} in ('APPROVED', 'REJECTED', 'WITHDRAWN')`),
    check(
      "contract_changes_whole",
      allOf(
        sql`(${t.decision} is null) = (${t.decidedAt} is null)`,
        sql`(${t.decision} is null) = (${t.decidedBy} is null)`,
      ),
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

/**
 * Registered contracts, never deleted. Only webhook endpoints have a foreign key to them. Tokens are local
 * tables, and Citus allows no foreign key from those to a shard; batches and issuances are written by the
 * statement that reads the contract, and a foreign key would lock the contract's row on every submit.
 */
export const contracts = pgTable(
  "contracts",
  (c) => ({
    address: addressBytes("address").primaryKey(),
    label: c.text("label").notNull(),
    operatorAddress: addressBytes("operator_address"),
    issuance: issuance("issuance").notNull().default("ON_DEMAND"),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** The wait of batches submitted in the console, unless someone chooses another. Null: the host's. */
    defaultWaitSeconds: c.integer("default_wait_seconds"),
    /** Whether a POST that stores a batch needs a key of the caller, so that a repeat does not pay again. */
    keyRequired: c.boolean("key_required").notNull().default(false),
    /** Under a rule a trigger lets only an approved change alter this, issuance, operator or wait. */
    approvalRequired: c.boolean("approval_required").notNull().default(false),
    /** The approved change that last set one of these. */
    appliedChangeId: c.uuid("applied_change_id"),
    /** Always APPROVED, so that the foreign key admits no other change. */
    appliedDecision: c.text("applied_decision"),
    /** The change's `effect` and `decided_at`. The trigger compares the effect and applies none twice. */
    appliedEffect: c.text("applied_effect"),
    appliedAt: instant("applied_at"),
  }),
  (t) => [
    foreignKey({
      name: "contracts_applied_effect",
      columns: [t.address, t.appliedChangeId, t.appliedEffect, t.appliedAt],
      foreignColumns: effectOfChange(),
    }),
    check("contracts_address_length", sql`octet_length(${t.address}) = 20`),
    check("contracts_default_wait", sql`${t.defaultWaitSeconds} >= 0`),
    check("contracts_operator_length", sql`octet_length(${t.operatorAddress}) = 20`),
    check(
      "contracts_applied_change_whole",
      allOf(
        sql`(${t.appliedChangeId} is null) = (${t.appliedDecision} is null)`,
        sql`${t.appliedDecision} = 'APPROVED'`,
      ),
    ),
    foreignKey({
      name: "contracts_applied_change",
      columns: [t.address, t.appliedChangeId, t.appliedDecision],
      foreignColumns: [contractChanges.contractAddress, contractChanges.id, contractChanges.decision],
    }),
  ],
);

/** One row per address and point type. Contracts and recipients use the same kind of account. */
export const accounts = pgTable(
  "accounts",
  {
    address: addressBytes("address").notNull(),
    pointType: pointType("point_type").notNull(),
    earned: pointsSum("earned").notNull().default("0"),
    received: pointsSum("received").notNull().default("0"),
    sent: pointsSum("sent").notNull().default("0"),
    pending: pointsSum("pending").notNull().default("0"),
    /** Points issued on demand by the latest submit, so that its statement can return them. */
    issuedLast: pointsSum("issued_last").notNull().default("0"),
  },
  (t) => [
    primaryKey({ columns: [t.address, t.pointType] }),
    check("accounts_address_length", sql`octet_length(${t.address}) = 20`),
    check("accounts_available", sql`${t.earned} + ${t.received} - ${t.sent} - ${t.pending} >= 0`),
    check("accounts_not_negative", sql`least(${t.earned}, ${t.received}, ${t.sent}, ${t.pending}) >= 0`),
  ],
);

/** Every increase of `accounts.earned`: by a batch of an ON_DEMAND contract, or a grant by staff. */
export const issuances = pgTable(
  "issuances",
  (c) => ({
    id: c.bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    contractAddress: addressBytes("contract_address").notNull(),
    pointType: pointType("point_type").notNull(),
    points: pointsSum("points").notNull(),
    batchSeq: c.bigint("batch_seq", { mode: "bigint" }),
    /** Who granted the points. If a second admin approved it, this one proposed it. */
    grantedBy: c.text("granted_by"),
    approvedBy: c.text("approved_by"),
    /** The approved change that granted the points, with its `effect` and `decided_at`. */
    changeId: c.uuid("change_id"),
    changeEffect: c.text("change_effect"),
    changeDecidedAt: instant("change_decided_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  }),
  (t) => [
    // By time, so that a statement reads one range of it.
    primaryKey({ columns: [t.contractAddress, t.createdAt, t.id] }),
    index("issuances_by_id").on(t.id),
    uniqueIndex("issuances_change_once")
      .on(t.contractAddress, t.changeId)
      .where(sql`${t.changeId} is not null`),
    check(
      "issuances_change_whole",
      sql`num_nulls(${t.changeId}, ${t.changeEffect}, ${t.changeDecidedAt}) in (0, 3)`,
    ),
    check(
      "issuances_change_effect",
      sql`${t.changeEffect} is null or ${allOf(
        sql`${t.changeEffect} = 'GRANT ' || ${t.pointType}::text || ' ' || ${t.points}::text`,
        sql`${t.approvedBy} is not null`,
      )}`,
    ),
    foreignKey({
      name: "issuances_change",
      columns: [t.contractAddress, t.changeId, t.changeEffect, t.changeDecidedAt],
      foreignColumns: effectOfChange(),
    }),
    check("issuances_points", sql`${t.points} > 0`),
    check("issuances_origin", sql`(${t.batchSeq} is null) <> (${t.grantedBy} is null)`),
    check(
      "issuances_second_person",
      sql`${t.approvedBy} is null or (${t.grantedBy} is not null and ${t.approvedBy} <> ${t.grantedBy})`,
    ),
  ],
);
