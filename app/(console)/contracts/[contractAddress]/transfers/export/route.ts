import type { NextRequest } from "next/server";
import { loadTransfersParams } from "@/app/(console)/contracts/params";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import {
  type ExportedTransfers,
  ExportTransfersInput,
  exportTransfers,
} from "@/server/statements/export-transfers";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem, invalidParams, parseInput } from "../../../../../data/csv-reply";
import { columnsOfContract, type TransferRow } from "../../../../transfers-csv";

interface ExportRoute {
  params: Promise<{ contractAddress: string }>;
}

/** Streams the transfers of a contract's batches in a period as CSV, batch by batch. */
export function GET(request: NextRequest, { params }: ExportRoute): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const period = loadTransfersParams(request);
    const invalid = invalidParams(request.nextUrl.searchParams, period);
    if (invalid) throw invalid;
    const input = parseInput(ExportTransfersInput, {
      ...(await params),
      by: period.by ?? undefined,
      from: period.from?.toISOString(),
      to: period.to?.toISOString(),
    });
    const batches = await exportTransfers(ctx, input);
    const address = addressFromBytes(addressToBytes(input.contractAddress));
    const name = `transfers-${input.by}-${address}-${input.from.slice(0, 10)}-${input.to.slice(0, 10)}.csv`;
    return csvReply(columnsOfContract(address), rowsOf(batches), { name, requestId, request });
  });
}

async function* rowsOf(batches: AsyncIterable<ExportedTransfers>): AsyncGenerator<TransferRow[]> {
  for await (const batch of batches)
    yield batch.transfers.map((transfer, index) => ({ batch, transfer, position: index + 1 }));
}
