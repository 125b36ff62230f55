import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import { AuditFilters } from "@/server/audit/console-schema";
import { exportAudit } from "@/server/audit/list-audit";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { DomainError } from "@/server/kernel/values/problems";
import { consoleContext } from "@/server/trpc/console-door";
import { csvReply, problemReply, unreadParams } from "../../../../data/csv-reply";
import { loadAuditParams, toAuditFilters } from "../audit-params";
import { auditCsvHeader, csvOfAudit } from "./to-csv";

/** Streams the filtered log as CSV, one page at a time. */
export async function GET(request: NextRequest): Promise<Response> {
  const requestId = randomUUID();
  const context = await consoleContext(requestId);
  if (!context.staff)
    return problemReply(new DomainError("missing_token", "Sign in to continue."), requestId);
  const params = loadAuditParams(request);
  const unread = unreadParams(request.nextUrl.searchParams, params);
  if (unread) return problemReply(unread, requestId);
  const filters = AuditFilters.safeParse(toAuditFilters(params));
  if (!filters.success) return problemReply(invalidInput(filters.error), requestId);
  const ctx = { db: context.db, requestId, actor: `staff:${context.staff.email}` };
  const day = new Date().toISOString().slice(0, 10);
  return csvReply(lines(exportAudit(ctx, filters.data)), { name: `audit-${day}.csv`, requestId });
}

async function* lines(pages: ReturnType<typeof exportAudit>): AsyncGenerator<string> {
  yield auditCsvHeader();
  for await (const page of pages) yield csvOfAudit(page);
}
