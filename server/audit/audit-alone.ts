import type { Sql, TransactionSql } from "postgres";
import type { ServiceContext } from "@/server/kernel/context";
import type { AuditAction, AuditDetail } from "./actions";

/** The audit row of what several statements change, or none. What one changes has `audited` in it. */
export async function auditAlone(
  sql: Sql | TransactionSql,
  { actor, requestId }: Pick<ServiceContext, "actor" | "requestId">,
  row: { action: AuditAction; target: string; detail?: AuditDetail },
): Promise<void> {
  await sql`
    insert into audit_log (actor, action, target, detail, request_id)
    values (${actor}, ${row.action}, ${row.target}, ${JSON.stringify(row.detail ?? {})}::text::jsonb,
      ${requestId})`;
}
