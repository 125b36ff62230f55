import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsIsoDateTime,
  parseAsStringLiteral,
} from "nuqs/server";
import { text } from "@/app/(console)/batches/list-params";
import { AUDIT_ACTION_NAMES } from "@/server/audit/actions";
import type { AuditFilters } from "@/server/audit/list-audit";
import { UUID_PATTERN } from "@/terms/batch-terms";

/** Not blank, and without control characters, which cannot be stored. */
export const TEXT_PATTERN = /^(?=.*\S)[^\p{C}]{1,320}$/u;

const parseAsText = text(TEXT_PATTERN);

/** `from` is inclusive, `to` is exclusive. */
export const auditParams = {
  actor: parseAsText,
  action: parseAsArrayOf(parseAsStringLiteral(AUDIT_ACTION_NAMES)),
  target: parseAsText,
  request: parseAsText,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  /** The bulk action that is shown above the log. */
  job: text(UUID_PATTERN),
};

export const loadAuditParams = createLoader(auditParams);
export const auditQuery = createSerializer(auditParams);
export type AuditParams = inferParserType<typeof auditParams>;

/** Used by the server and the browser, so that they share a cache key. */
export function toAuditFilters(params: Omit<AuditParams, "job">): AuditFilters {
  return {
    ...(params.actor && { actor: params.actor }),
    ...(params.action?.length && { actions: params.action.toSorted() }),
    ...(params.target && { target: params.target }),
    ...(params.request && { requestId: params.request }),
    // Both bounds are exclusive on the server, which stores milliseconds.
    ...(params.from && { after: new Date(params.from.getTime() - 1).toISOString() }),
    ...(params.to && { before: params.to.toISOString() }),
  };
}
