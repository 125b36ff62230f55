import type { NextRequest } from "next/server";
import { AuditFilters } from "@/server/audit/console-schema";
import { exportAudit } from "@/server/audit/list-audit";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { exportContext } from "@/server/trpc/console-door";
import { csvReply, downloadOrProblem, unreadParams } from "../../../../data/csv-reply";
import { loadAuditParams, toAuditFilters } from "../audit-params";
import { auditCsvHeader, csvOfAudit } from "./to-csv";

/** Streams the filtered log as CSV, one page at a time. */
export function GET(request: NextRequest): Promise<Response> {
  return downloadOrProblem((requestId) => exportLog(request, requestId));
}

async function exportLog(request: NextRequest, requestId: string): Promise<Response> {
  const ctx = await exportContext(requestId);
  const params = loadAuditParams(request);
  const unread = unreadParams(request.nextUrl.searchParams, params);
  if (unread) throw unread;
  const filters = AuditFilters.safeParse(toAuditFilters(params));
  if (!filters.success) throw invalidInput(filters.error);
  const day = new Date().toISOString().slice(0, 10);
  return csvReply(lines(exportAudit(ctx, filters.data)), { name: `audit-${day}.csv`, requestId });
}

async function* lines(pages: ReturnType<typeof exportAudit>): AsyncGenerator<string> {
  yield auditCsvHeader();
  for await (const page of pages) yield csvOfAudit(page);
}
