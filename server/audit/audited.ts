import type { Fragment } from "postgres";
import type { ServiceContext } from "@/server/kernel/context";
import type { AuditAction } from "./actions";

interface Audited {
  action: AuditAction;
  /** Text, or SQL over the columns of `of`. */
  target: string | Fragment;
  /** SQL over the columns of `of`. */
  detail?: Fragment;
  /** The CTE that has a row if, and only if, the change was made. */
  of: string;
}

/** A CTE `audited` that writes the audit row of a change, in the statement that makes it. */
export const audited = ({ db: { sql }, actor, requestId }: ServiceContext, row: Audited) => sql`
  audited as (
    insert into audit_log (actor, action, target, detail, request_id)
    select ${actor}, ${row.action}, ${row.target}, ${row.detail ?? sql`'{}'::jsonb`}, ${requestId}
    from ${sql(row.of)}
  )`;

export const contractTarget = (contractAddress: string) => `contract:${contractAddress.toLowerCase()}`;
