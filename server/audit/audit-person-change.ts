import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey } from "@/terms/batch-schema";
import type { AuditAction } from "./actions";
import { audited } from "./audited";

interface PersonChange extends BatchKey {
  action: Extract<AuditAction, `${"batch" | "note"}.${string}`>;
  detail: Record<string, string | number | null>;
  /** The CTE that has a row if, and only if, the change was made. */
  changed: string;
}

/** A CTE with the audit row of a person's change to a batch. Changes by a contract are recorded in the batch itself. */
export function auditPersonChange(ctx: ServiceContext, change: PersonChange) {
  const { sql } = ctx.db;
  if (/^(?:token|operator):/.test(ctx.actor)) return sql``;
  const detail = sql`${JSON.stringify(change.detail)}::text::jsonb`;
  return sql`, ${audited(ctx, { action: change.action, target: auditTarget(change), detail, of: change.changed })}`;
}

export const auditTarget = (batch: BatchKey) =>
  `batch:${batch.contractAddress.toLowerCase()}/${batch.batchId}`;
