import type { NextRequest } from "next/server";
import type { CsvColumns } from "@/app/data/csv";
import { exportAudit } from "@/server/audit/list-audit";
import { type AuditEntry, AuditFilters } from "@/server/audit/schema";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem, invalidParams, parseInput } from "../../../../data/csv-reply";
import { sentenceOf } from "../action-text";
import { loadAuditParams, toAuditFilters } from "../audit-params";

const COLUMNS: CsvColumns<AuditEntry> = {
  at: ({ at }) => at,
  actor: ({ actor }) => actor,
  action: ({ action }) => action,
  what: sentenceOf,
  target: ({ target }) => target,
  detail: ({ detail }) => JSON.stringify(detail),
  request_id: ({ requestId }) => requestId,
};

/** Streams the filtered log as CSV, one page at a time. */
export function GET(request: NextRequest): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const params = loadAuditParams(request);
    const invalid = invalidParams(request.nextUrl.searchParams, params);
    if (invalid) throw invalid;
    const pages = exportAudit(ctx, parseInput(AuditFilters, toAuditFilters(params)));
    const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
    return csvReply(COLUMNS, pages, { name, requestId, request });
  });
}
