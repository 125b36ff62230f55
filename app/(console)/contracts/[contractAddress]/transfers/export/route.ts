import type { NextRequest } from "next/server";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import { ExportTransfersInput, exportTransfers } from "@/server/statements/export-transfers";
import { exportContext } from "@/server/trpc/console-door";
import { csvReply, downloadOrProblem, unreadParams } from "../../../../../data/csv-reply";
import { loadTransfersParams } from "../../../statements/month-param";
import { csvOfTransfers, transfersCsvHeader } from "./to-csv";

interface ExportRoute {
  params: Promise<{ contractAddress: string }>;
}

/** Streams the transfers of a contract's batches in a period as CSV, batch by batch. */
export function GET(request: NextRequest, { params }: ExportRoute): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const period = loadTransfersParams(request);
    const unread = unreadParams(request.nextUrl.searchParams, period);
    if (unread) throw unread;
    const input = ExportTransfersInput.safeParse({
      ...(await params),
      by: period.by ?? undefined,
      from: period.from?.toISOString(),
      to: period.to?.toISOString(),
    });
    if (!input.success) throw invalidInput(input.error);
    const { contractAddress, by, from, to } = input.data;
    const batches = await exportTransfers(ctx, input.data);
    const address = addressFromBytes(addressToBytes(contractAddress));
    const name = `transfers-${by}-${address}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`;
    return csvReply(lines(batches), { name, requestId });
  });
}

async function* lines(batches: Awaited<ReturnType<typeof exportTransfers>>): AsyncGenerator<string> {
  yield transfersCsvHeader();
  for await (const batch of batches) yield csvOfTransfers(batch);
}
