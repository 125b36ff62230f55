import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import { DomainError } from "@/server/kernel/values/problems";
import { RecipientInput } from "@/server/recipients/console-schema";
import { exportReceived } from "@/server/recipients/export-received";
import { consoleContext } from "@/server/trpc/console-door";
import { csvReply, problemReply } from "../../../../data/csv-reply";
import { csvOfReceived, receivedCsvHeader } from "./to-csv";

interface ExportRoute {
  params: Promise<{ address: string }>;
}

/** Streams every transfer to the address as CSV, oldest first, one page at a time. */
export async function GET(_request: NextRequest, { params }: ExportRoute): Promise<Response> {
  const requestId = randomUUID();
  const context = await consoleContext(requestId);
  if (!context.staff)
    return problemReply(new DomainError("missing_token", "Sign in to continue."), requestId);
  const input = RecipientInput.safeParse(await params);
  if (!input.success) return problemReply(invalidInput(input.error), requestId);

  const address = addressFromBytes(addressToBytes(input.data.address));
  const ctx = { ...context, actor: `staff:${context.staff.email}` };
  try {
    const pages = await exportReceived(ctx, { address });
    const day = new Date().toISOString().slice(0, 10);
    return csvReply(lines(address, pages), { name: `received-${address}-${day}.csv`, requestId });
  } catch (error) {
    if (error instanceof DomainError) return problemReply(error, requestId);
    throw error;
  }
}

async function* lines(
  address: string,
  pages: Awaited<ReturnType<typeof exportReceived>>,
): AsyncGenerator<string> {
  yield receivedCsvHeader();
  for await (const page of pages) yield csvOfReceived(address, page);
}
