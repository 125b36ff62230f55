import type { NextRequest } from "next/server";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import { exportReceived } from "@/server/recipients/export-received";
import { ReceivedFilters } from "@/server/recipients/schema";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem, invalidParams, parseInput } from "../../../../data/csv-reply";
import { hasFilters, loadRecipientParams, toReceivedFilters } from "../../recipient-params";
import { receivedColumns } from "./columns";

interface ExportRoute {
  params: Promise<{ address: string }>;
}

/** Streams the filtered transfers to the address as CSV, oldest first, one page at a time. */
export function GET(request: NextRequest, { params }: ExportRoute): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const query = loadRecipientParams(request);
    const invalid = invalidParams(request.nextUrl.searchParams, query);
    if (invalid) throw invalid;
    const filters = parseInput(ReceivedFilters, toReceivedFilters((await params).address, query));
    const address = addressFromBytes(addressToBytes(filters.address));
    const pages = await exportReceived(ctx, filters);
    const day = new Date().toISOString().slice(0, 10);
    const name = `received-${address}${hasFilters(query) ? "-filtered" : ""}-${day}.csv`;
    return csvReply(receivedColumns(address), pages, { name, requestId, request });
  });
}
