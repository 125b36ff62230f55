import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import { BatchFilters } from "@/server/batches/console-schema";
import { exportBatches } from "@/server/batches/export-batches";
import { DomainError, toProblem } from "@/server/problems";
import { consoleContext } from "@/server/trpc/console-door";
import { invalidInput } from "@/server/trpc/to-domain-error";
import { type FilterParams, loadFilterParams, toFilters } from "../list-params";
import { csvHeader, csvOfBatches } from "./to-csv";

/** The filtered set as CSV, page by page, at the pace of its reader; it ends when the reader goes away. */
export async function GET(request: NextRequest): Promise<Response> {
  const requestId = randomUUID();
  const context = await consoleContext(requestId);
  if (!context.staff) return refuse(new DomainError("missing_token", "Sign in first."), requestId);
  const params = loadFilterParams(request);
  const unread = unreadParams(request.nextUrl.searchParams, params);
  if (unread) return refuse(unread, requestId);
  const filters = BatchFilters.safeParse(toFilters(params));
  if (!filters.success) return refuse(invalidInput(filters.error), requestId);

  const actor = `staff:${context.staff.email}`;
  const pages = exportBatches({ db: context.db, requestId, actor }, filters.data);
  const day = new Date().toISOString().slice(0, 10);
  return new Response(streamOf(csvChunks(pages)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="batches-${day}.csv"`,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
    },
  });
}

/** A filter that cannot be read must not be left out: the file would hold more than was asked for. */
function unreadParams(given: URLSearchParams, read: FilterParams): DomainError | null {
  const unread = Object.entries(read).filter(([name, value]) => {
    const sent = given.get(name);
    if (sent === null) return false;
    return Array.isArray(value) ? value.length !== sent.split(",").length : value === null;
  });
  if (unread.length === 0) return null;
  return new DomainError("validation_failed", "A filter of the address cannot be read.", {
    errors: unread.map(([name]) => ({
      pointer: `?${name}`,
      code: "invalid_value",
      detail: "cannot be read",
    })),
  });
}

async function* csvChunks(pages: ReturnType<typeof exportBatches>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const page of pages) yield csvOfBatches(page);
}

/** Asks for a chunk when the reader wants one. */
function streamOf(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

function refuse(error: DomainError, requestId: string): Response {
  const problem = toProblem(error, requestId);
  return Response.json(problem, {
    status: problem.status,
    headers: { "Content-Type": "application/problem+json", "X-Request-Id": requestId },
  });
}
