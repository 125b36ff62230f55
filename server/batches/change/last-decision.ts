import { auditTarget } from "@/server/audit/audit-person-change";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { emailOf } from "@/server/staff/second-person";
import type { BatchKey } from "@/terms/batch-schema";

const DONE: Record<string, string> = {
  "batch.hold": "put it on hold",
  "batch.release": "released it",
  "batch.approve": "approved it",
  "batch.reject": "rejected it",
  "batch.cancel": "cancelled it",
};

/**
 * Which person decided about a batch last, as a sentence after an error, for staff whose own decision comes
 * too late. Empty for callers of `/v1`.
 */
export async function lastDecision({ db: { sql }, actor }: ServiceContext, key: BatchKey): Promise<string> {
  if (!actor.startsWith("staff:")) return "";
  const [last] = await sql<{ actor: string; action: string; at: string; reason: string | null }[]>`
    select actor, action, at, detail ->> 'reason' as reason from audit_log
    where target = ${auditTarget(key)} and action = any(${Object.keys(DONE)}::text[])
    order by id desc limit 1`;
  if (!last) return "";
  const who = last.actor === actor ? "You" : emailOf(last.actor);
  const at = toTimestamp(last.at).slice(0, 16).replace("T", " ");
  return ` ${who} ${DONE[last.action]} at ${at} UTC${last.reason ? `: “${last.reason}”` : ""}.`;
}
