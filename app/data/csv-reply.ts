import "server-only";
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { isStatementTimeout } from "@/server/kernel/database-errors";
import { problemReply } from "@/server/kernel/http/problem-reply";
import { log } from "@/server/kernel/log";
import { invalidInput, queryTimeout, toDomainError } from "@/server/kernel/to-domain-error";
import { DomainError, PROBLEMS } from "@/server/kernel/values/problems";
import { invalidNames } from "./invalid-names";

/** Streams what a generator yields with backpressure; stops when the client disconnects. */
export function csvReply(
  csv: string | AsyncGenerator<string>,
  { name, requestId }: { name: string; requestId: string },
): Response {
  return new Response(typeof csv === "string" ? csv : streamOf(csv), {
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

/** Answers a download. Errors before its first byte become problems. */
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

/** Ignoring an invalid filter would export more rows than requested. */
export function invalidParams(given: URLSearchParams, read: Record<string, unknown>): DomainError | null {
  const invalid = invalidNames(given, read);
  if (invalid.length === 0) return null;
  return new DomainError("validation_failed", "A filter in the URL is invalid.", {
    errors: invalid.map((name) => ({
      pointer: `?${name}`,
      code: "invalid_value",
      detail: "is not a valid filter value",
    })),
  });
}

/** @throws DomainError `validation_failed` */
export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
}
