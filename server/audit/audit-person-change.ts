import type { ServiceContext } from "../kernel/context";
import type { BatchKey } from "../kernel/values/batch-schema";
import type { AuditAction } from "./actions";

interface PersonChange extends BatchKey {
  action: Extract<AuditAction, `${"batch" | "note"}.${string}`>;
  detail: Record<string, string | number | null>;
  /** The CTE that has a row if, and only if, the change was made. */
  changed: string;
}

/**
 * A CTE that writes an audit row for a change by a person, in the same transaction. Changes by a contract are recorded in
 * the batch itself and cost nothing here.
 */
export function auditPersonChange(ctx: ServiceContext, change: PersonChange) {
  const { sql } = ctx.db;
  if (/^(?:token|operator):/.test(ctx.actor)) return sql``;
  return sql`, audited as (
    insert into audit_log (actor, action, target, detail, request_id)
    select ${ctx.actor}, ${change.action}, ${auditTarget(change)}, ${JSON.stringify(change.detail)}::text::jsonb, ${ctx.requestId}
    from ${sql(change.changed)})`;
}

/** The target of a batch in the audit log. */
export const auditTarget = (batch: BatchKey) =>
  `batch:${batch.contractAddress.toLowerCase()}/${batch.batchId}`;
