import type { NextRequest } from "next/server";
import { sentenceOf } from "@/app/(console)/access/audit/action-text";
import { loadAuditParams, toAuditFilters } from "@/app/(console)/access/audit/audit-params";
import { type CsvColumns, csvFields } from "@/app/data/csv";
import { checkedParams, csvRoute, parseInput } from "@/app/data/csv-reply";
import { type AuditEntry, AuditFilters, exportAudit } from "@/server/audit/list-audit";

const columns: CsvColumns<AuditEntry> = {
  ...csvFields<AuditEntry>("at", "actor", "action"),
  what: sentenceOf,
  target: ({ target }) => target,
  detail: ({ detail }) => JSON.stringify(detail),
  request_id: ({ requestId }) => requestId,
};

export const GET = (request: NextRequest) =>
  csvRoute(request, async (ctx) => ({
    name: `audit-${new Date().toISOString().slice(0, 10)}.csv`,
    columns,
    pages: exportAudit(
      ctx,
      parseInput(AuditFilters, toAuditFilters(checkedParams(request, loadAuditParams(request)))),
    ),
  }));
