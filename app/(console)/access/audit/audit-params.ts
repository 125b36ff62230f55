import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsIsoDateTime,
  parseAsStringLiteral,
} from "nuqs/server";
import { AUDIT_ACTIONS } from "@/server/audit/actions";
import type { AuditFilters } from "@/server/audit/console-schema";

/** What can be searched for: anything that is not blank and can be stored. */
export const TEXT_PATTERN = /^(?=.*\S)[^\p{C}]{1,320}$/u;

const parseAsText = createParser({
  parse: (value) => (TEXT_PATTERN.test(value) ? value : null),
  serialize: String,
});

/** What narrows the log. `from` is the first instant shown, `to` the first one no longer shown. */
export const auditParams = {
  actor: parseAsText,
  action: parseAsArrayOf(parseAsStringLiteral(AUDIT_ACTIONS)),
  target: parseAsText,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export const loadAuditParams = createLoader(auditParams);
export const auditQuery = createSerializer(auditParams);
export type AuditParams = inferParserType<typeof auditParams>;

/** The server's filters for what the URL says. */
export function toAuditFilters(params: AuditParams): AuditFilters {
  return {
    ...(params.actor && { actor: params.actor }),
    ...(params.action?.length && { actions: params.action.toSorted() }),
    ...(params.target && { target: params.target }),
    // The server's bounds are both exclusive and its times have milliseconds.
    ...(params.from && { after: new Date(params.from.getTime() - 1).toISOString() }),
    ...(params.to && { before: params.to.toISOString() }),
  };
}

const PAGE_ROWS = 100;

/** The query's input, the same on the server and in the browser, so that they share a cache key. */
export const toAuditInput = (params: AuditParams) => ({ ...toAuditFilters(params), limit: PAGE_ROWS });
