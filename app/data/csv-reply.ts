import "server-only";
import { randomUUID } from "node:crypto";
import { isStatementTimeout } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { queryTimeout, toDomainError } from "@/server/kernel/to-domain-error";
import { DomainError, PROBLEMS, toProblem } from "@/server/kernel/values/problems";
import { unreadNames } from "./unread-names";

/** Streams a download with backpressure; stops when the client disconnects. */
export function csvReply(
  chunks: AsyncGenerator<string>,
  { name, requestId }: { name: string; requestId: string },
): Response {
  return new Response(streamOf(chunks), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
    },
  });
}

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

/** Answers a download. Errors become problems, and before its first byte nothing else was sent. */
export async function downloadOrProblem(reply: (requestId: string) => Promise<Response>): Promise<Response> {
  const requestId = randomUUID();
  try {
    return await reply(requestId);
  } catch (error) {
    const known = isStatementTimeout(error) ? queryTimeout(error) : toDomainError(error);
    if (PROBLEMS[known.code].status >= 500) log().error({ error, requestId }, "a download failed");
    return problemReply(known, requestId);
  }
}

function problemReply(error: DomainError, requestId: string): Response {
  const problem = toProblem(error, requestId);
  return Response.json(problem, {
    status: problem.status,
    headers: {
      ...error.options.headers,
      "Content-Type": "application/problem+json",
      "X-Request-Id": requestId,
    },
  });
}

/** Ignoring an invalid filter would export more rows than requested. */
export function unreadParams(given: URLSearchParams, read: Record<string, unknown>): DomainError | null {
  const unread = unreadNames(given, read);
  if (unread.length === 0) return null;
  return new DomainError("validation_failed", "A filter in the URL is invalid.", {
    errors: unread.map((name) => ({
      pointer: `?${name}`,
      code: "invalid_value",
      detail: "is not a valid filter value",
    })),
  });
}
