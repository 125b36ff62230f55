import "server-only";
import { DomainError, toProblem } from "@/server/problems";

/** Chunks of text as a file to download, at the pace of its reader; it ends when the reader goes away. */
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

export function problemReply(error: DomainError, requestId: string): Response {
  const problem = toProblem(error, requestId);
  return Response.json(problem, {
    status: problem.status,
    headers: { "Content-Type": "application/problem+json", "X-Request-Id": requestId },
  });
}

/** A filter that cannot be read must not be left out: the file would hold more than was asked for. */
export function unreadParams(given: URLSearchParams, read: Record<string, unknown>): DomainError | null {
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
