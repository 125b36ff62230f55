import type postgres from "postgres";
import { postgresError } from "../kernel/database-errors";
import { DomainError } from "../kernel/values/problems";

/** A change that one admin proposed and the caller approves. It is applied in the transaction of the approval. */
export interface ApprovedChange {
  tx: postgres.TransactionSql;
  id: string;
  /** Its `effect` and `decided_at`: the database compares them with what is changed. */
  effect: string;
  decidedAt: string;
  proposedBy: string;
}

export const secondAdminNeeded = (cause?: unknown): DomainError =>
  new DomainError(
    "not_allowed",
    "This contract has an approval rule, so a second admin must approve this change. Propose it on the contract's page in the console.",
    { cause },
  );

/** For a statement that the trigger `contracts_second_admin` may refuse. */
export function refuseWithoutSecondAdmin(cause: unknown): never {
  throw postgresError(cause)?.constraint === "contracts_second_admin" ? secondAdminNeeded(cause) : cause;
}

/** Assignments with the approved change, which that trigger requires. */
export const appliedBy = (sql: postgres.Sql | postgres.TransactionSql, approved?: ApprovedChange) =>
  approved
    ? sql`, applied_change_id = ${approved.id}::uuid, applied_decision = 'APPROVED',
        applied_effect = ${approved.effect}, applied_at = ${approved.decidedAt}::timestamptz`
    : sql``;
