import type { NextRequest } from "next/server";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import {
  type ExportedTransfers,
  ExportTransfersInput,
  exportTransfers,
} from "@/server/statements/export-transfers";
import { exportContext } from "@/server/trpc/console-endpoint";
import type { CsvColumns } from "../../../../../data/csv";
import { csvReply, downloadOrProblem, invalidParams, parseInput } from "../../../../../data/csv-reply";
import { loadTransfersParams } from "../../../statements/month-param";

interface ExportRoute {
  params: Promise<{ contractAddress: string }>;
}

interface Row {
  batch: ExportedTransfers;
  transfer: ExportedTransfers["transfers"][number];
  position: number;
}

const columnsOf = (contractAddress: string): CsvColumns<Row> => ({
  batch_id: ({ batch }) => batch.batchId,
  contract_address: () => contractAddress,
  position: ({ position }) => String(position),
  to_address: ({ transfer }) => transfer.toAddress,
  point_type: ({ batch }) => batch.pointType,
  points: ({ transfer }) => transfer.points,
  status: ({ batch }) => batch.status,
  created_at: ({ batch }) => batch.createdAt,
  finalize_at: ({ batch }) => batch.finalizeAt,
  finalized_at: ({ batch }) => batch.finalizedAt,
  submitted_by: ({ batch }) => batch.submittedBy,
  cancelled_at: ({ batch }) => batch.cancelledAt,
  cancelled_by: ({ batch }) => batch.cancelledBy,
  cancel_reason: ({ batch }) => batch.cancelReason,
  reverses: ({ batch }) => batch.reverses,
});

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
    return csvReply(columnsOf(address), rowsOf(batches), { name, requestId });
  });
}

async function* rowsOf(batches: AsyncIterable<ExportedTransfers>): AsyncGenerator<Row[]> {
  for await (const batch of batches)
    yield batch.transfers.map((transfer, index) => ({ batch, transfer, position: index + 1 }));
}
