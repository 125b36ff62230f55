import "server-only";
import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import type { z } from "zod";
import { type CsvColumns, csvPages } from "@/app/data/csv";
import { isStatementTimeout } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { problemReply } from "@/server/kernel/problem-reply";
import {
  invalidFields,
  invalidInput,
  queryTimeout,
  toRepeatableError,
} from "@/server/kernel/to-domain-error";
import { exportContext } from "@/server/trpc/console-endpoint";
import { PROBLEMS } from "@/terms/problems";
import { invalidNames } from "./invalid-names";

interface CsvFile<Row> {
  name: string;
  columns: CsvColumns<Row>;
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;
}

interface StreamedFile {
  name: string;
  mediaType: string;
  chunks: AsyncIterable<string | Uint8Array>;
}

/** The first chunk is read before the reply begins, so that its errors are problems. Later ones abort. */
export async function streamReply(
  { name, mediaType, chunks }: StreamedFile,
  requestId: string,
): Promise<Response> {
  const reading = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const bytesOf = (chunk: string | Uint8Array) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  let next = await reading.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (next.done) return controller.close();
        controller.enqueue(bytesOf(next.value));
        next = await reading.next();
      } catch (error) {
        log().error({ error, requestId }, "a download failed after its first byte");
        throw error;
      }
    },
    async cancel() {
      await reading.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": mediaType,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
    },
  });
}

export function csvReply<Row>(
  { name, columns, pages }: CsvFile<Row>,
  request: Request,
  requestId: string,
): Promise<Response> {
  const chunks = csvPages(columns, pages, request.headers.get("cookie") ?? "");
  return streamReply({ name, mediaType: "text/csv; charset=utf-8", chunks }, requestId);
}

export async function downloadOrProblem(reply: (requestId: string) => Promise<Response>): Promise<Response> {
  const requestId = randomUUID();
  try {
    return await reply(requestId);
  } catch (error) {
    const known = isStatementTimeout(error) ? queryTimeout(error) : toRepeatableError(error);
    if (PROBLEMS[known.code].status >= 500) log().error({ error, requestId }, "a download failed");
    return problemReply(known, requestId);
  }
}

export const csvRoute = <Row>(
  request: Request,
  makeFile: (ctx: Awaited<ReturnType<typeof exportContext>>) => Promise<CsvFile<Row>>,
): Promise<Response> =>
  downloadOrProblem(async (requestId) => {
    const file = await makeFile(await exportContext(requestId));
    return csvReply(file, request, requestId);
  });

/** Ignoring an invalid filter would export more rows. @throws DomainError `validation_failed` */
export function checkedParams<Params extends Record<string, unknown>>(
  request: NextRequest,
  params: Params,
): Params {
  const invalid = invalidNames(request.nextUrl.searchParams, params);
  if (invalid.length === 0) return params;
  throw invalidFields(
    invalid.map((name) => ({
      pointer: `?${name}`,
      code: "invalid_value",
      detail: "is not a valid filter value",
    })),
  );
}

export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
}
