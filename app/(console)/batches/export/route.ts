import type { NextRequest } from "next/server";
import { BatchFilters } from "@/server/batches/list/console-schema";
import { exportBatches } from "@/server/batches/list/export-batches";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { exportContext } from "@/server/trpc/console-door";
import { csvReply, downloadOrProblem, unreadParams } from "../../../data/csv-reply";
import { loadExportParams, sortOf, toFilters } from "../list-params";
import { csvHeader, csvOfBatches } from "./to-csv";

/** Streams the filtered batches as CSV, in the list's order, one page at a time. */
export function GET(request: NextRequest): Promise<Response> {
  return downloadOrProblem((requestId) => exportList(request, requestId));
}

async function exportList(request: NextRequest, requestId: string): Promise<Response> {
  const ctx = await exportContext(requestId);
  const params = loadExportParams(request);
  const unread = unreadParams(request.nextUrl.searchParams, params);
  if (unread) throw unread;
  const filters = BatchFilters.safeParse(toFilters(params));
  if (!filters.success) throw invalidInput(filters.error);

  const pages = exportBatches(ctx, { ...filters.data, sort: sortOf(params) });
  const day = new Date().toISOString().slice(0, 10);
  return csvReply(csvChunks(pages), { name: `batches-${day}.csv`, requestId });
}

async function* csvChunks(pages: ReturnType<typeof exportBatches>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const page of pages) yield csvOfBatches(page);
}
