import type { NextRequest } from "next/server";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import { ReceivedFilters } from "@/server/recipients/console-schema";
import { exportReceived } from "@/server/recipients/export-received";
import { exportContext } from "@/server/trpc/console-door";
import { csvReply, downloadOrProblem, unreadParams } from "../../../../data/csv-reply";
import { hasFilters, loadRecipientParams, toReceivedFilters } from "../../recipient-params";
import { csvOfReceived, receivedCsvHeader } from "./to-csv";

interface ExportRoute {
  params: Promise<{ address: string }>;
}

/** Streams the filtered transfers to the address as CSV, oldest first, one page at a time. */
export function GET(request: NextRequest, { params }: ExportRoute): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const query = loadRecipientParams(request);
    const unread = unreadParams(request.nextUrl.searchParams, query);
    if (unread) throw unread;
    const input = ReceivedFilters.safeParse(toReceivedFilters((await params).address, query));
    if (!input.success) throw invalidInput(input.error);
    const address = addressFromBytes(addressToBytes(input.data.address));
    const pages = await exportReceived(ctx, input.data);
    const day = new Date().toISOString().slice(0, 10);
    return csvReply(lines(address, pages), {
      name: `received-${address}${hasFilters(query) ? "-filtered" : ""}-${day}.csv`,
      requestId,
    });
  });
}

async function* lines(
  address: string,
  pages: Awaited<ReturnType<typeof exportReceived>>,
): AsyncGenerator<string> {
  yield receivedCsvHeader();
  for await (const page of pages) yield csvOfReceived(address, page);
}
