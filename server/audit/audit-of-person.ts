import type { ServiceContext } from "../kernel/context";
import type { AuditAction } from "./actions";

interface PersonChange {
  action: Extract<AuditAction, `batch.${string}`>;
  contractAddress: string;
  batchId: string;
  detail: Record<string, string | number | null>;
  /** The part of the statement that has a row when, and only when, the change was made. */
  changed: string;
}

/**
 * The part of a changing statement that writes its audit row: a person's change is an audit row of the same transaction.
 * A contract's own change stands in the batch itself, and pays nothing here.
 */
export function auditOfPerson(ctx: ServiceContext, change: PersonChange) {
  const { sql } = ctx.db;
  if (/^(?:token|operator):/.test(ctx.actor)) return sql``;
  return sql`, audited as (
    insert into audit_log (actor, action, target, detail, request_id)
    select ${ctx.actor}, ${change.action}, ${auditTarget(change)}, ${JSON.stringify(change.detail)}::text::jsonb, ${ctx.requestId}
    from ${sql(change.changed)})`;
}

/** How a batch is named in the audit log. */
export const auditTarget = (batch: { contractAddress: string; batchId: string }) =>
  `batch:${batch.contractAddress.toLowerCase()}/${batch.batchId}`;
