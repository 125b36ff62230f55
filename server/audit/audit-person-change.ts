import type { Fragment } from "postgres";
import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey } from "@/terms/batch-schema";
import type { AuditAction } from "./actions";
import { audited } from "./audited";

interface PersonChange {
  contractAddress: string;
  /** Text, or SQL over the columns of `changed`. */
  batchId: string | Fragment;
  action: Extract<AuditAction, `batch.${string}`>;
  detail: Record<string, string | number | null>;
  /** More of it, as SQL over the columns of `changed`. */
  more?: Fragment;
  changed: string;
}

/**
 * A CTE with the audit row of a person's change to a batch, or to each of several. The batch itself records a
 * contract's change.
 */
export function auditPersonChange(ctx: ServiceContext, change: PersonChange) {
  const { sql } = ctx.db;
  if (/^(?:token|operator):/.test(ctx.actor)) return sql``;
  const more = change.more ? sql` || ${change.more}` : sql``;
  const detail = sql`${JSON.stringify(change.detail)}::text::jsonb${more}`;
  const { contractAddress, batchId, action, changed: of } = change;
  const target = sql`${auditTarget({ contractAddress, batchId: "" })}::text || ${batchId}`;
  return sql`, ${audited(ctx, { action, target, detail, of })}`;
}

export const payoutTarget = (payout: { contractAddress: string; payoutId: string }) =>
  `payout:${payout.contractAddress.toLowerCase()}/${payout.payoutId}`;

export const auditTarget = (batch: BatchKey) =>
  `batch:${batch.contractAddress.toLowerCase()}/${batch.batchId}`;
