import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { contractChanges } from "./approvals";
import { addressBytes, instant, issuance } from "./types";

/**
 * Registered contracts, never deleted. Only webhook endpoints have a foreign key to them. Tokens are local tables, and Citus
 * allows no foreign key from those to a shard; batches and issuances are written by the statement that reads the contract, and
 * a foreign key would lock the contract's row once more on every submit.
 */
export const contracts = pgTable(
  "contracts",
  {
    address: addressBytes("address").primaryKey(),
    label: text("label").notNull(),
    operatorAddress: addressBytes("operator_address"),
    issuance: issuance("issuance").notNull().default("ON_DEMAND"),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Whether an approval rule is in force. A trigger then refuses to change this, the issuance or the operator without an approved change. */
    approvalRequired: boolean("approval_required").notNull().default(false),
    /** The approved change that last set one of these. */
    appliedChangeId: uuid("applied_change_id"),
    /** Always APPROVED, so that the foreign key admits no other change. */
    appliedDecision: text("applied_decision"),
    /** The change's `effect` and `decided_at`. The trigger compares the effect with what changes, and applies none twice. */
    appliedEffect: text("applied_effect"),
    appliedAt: instant("applied_at"),
  },
  (t) => [
    foreignKey({
      name: "contracts_applied_effect",
      columns: [t.address, t.appliedChangeId, t.appliedEffect, t.appliedAt],
      foreignColumns: [
        contractChanges.contractAddress,
        contractChanges.id,
        contractChanges.effect,
        contractChanges.decidedAt,
      ],
    }),
    check("contracts_address_length", sql`octet_length(${t.address}) = 20`),
    check("contracts_operator_length", sql`octet_length(${t.operatorAddress}) = 20`),
    check(
      "contracts_applied_change_whole",
      sql`(${t.appliedChangeId} is null) = (${t.appliedDecision} is null) and ${t.appliedDecision} = 'APPROVED'`,
    ),
    foreignKey({
      name: "contracts_applied_change",
      columns: [t.address, t.appliedChangeId, t.appliedDecision],
      foreignColumns: [contractChanges.contractAddress, contractChanges.id, contractChanges.decision],
    }),
  ],
);
