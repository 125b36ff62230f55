import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import { BatchFilters } from "@/server/batches/list/console-schema";
import { exportBatches } from "@/server/batches/list/export-batches";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { DomainError } from "@/server/kernel/values/problems";
import { consoleContext } from "@/server/trpc/console-door";
import { csvReply, problemReply, unreadParams } from "../../../data/csv-reply";
import { loadExportParams, sortOf, toFilters } from "../list-params";
import { csvHeader, csvOfBatches } from "./to-csv";

/** Streams the filtered batches as CSV, in the list's order, one page at a time. */
export async function GET(request: NextRequest): Promise<Response> {
  const requestId = randomUUID();
  const context = await consoleContext(requestId);
  if (!context.staff)
    return problemReply(new DomainError("missing_token", "Sign in to continue."), requestId);
  const params = loadExportParams(request);
  const unread = unreadParams(request.nextUrl.searchParams, params);
  if (unread) return problemReply(unread, requestId);
  const filters = BatchFilters.safeParse(toFilters(params));
  if (!filters.success) return problemReply(invalidInput(filters.error), requestId);

  const actor = `staff:${context.staff.email}`;
  const pages = exportBatches({ ...context, actor }, { ...filters.data, sort: sortOf(params) });
  const day = new Date().toISOString().slice(0, 10);
  return csvReply(csvChunks(pages), { name: `batches-${day}.csv`, requestId });
}

async function* csvChunks(pages: ReturnType<typeof exportBatches>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const page of pages) yield csvOfBatches(page);
}
