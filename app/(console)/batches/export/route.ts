import type { NextRequest } from "next/server";
import type { CsvColumns } from "@/app/data/csv";
import { BatchFiltersInput, type ExportedBatch } from "@/server/batches/list/console-schema";
import { exportBatches } from "@/server/batches/list/export-batches";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem, invalidParams } from "../../../data/csv-reply";
import { loadExportParams, sortOf, toFilters } from "../list-params";

const COLUMNS: CsvColumns<ExportedBatch> = {
  status: (batch) => batch.status,
  batch_id: (batch) => batch.id,
  contract_label: (batch) => batch.contractLabel,
  contract_address: (batch) => batch.contractAddress,
  point_type: (batch) => batch.pointType,
  transfers: (batch) => String(batch.transferCount),
  points: (batch) => batch.points,
  created_at: (batch) => batch.createdAt,
  finalize_at: (batch) => batch.finalizeAt,
  updated_at: (batch) => batch.updatedAt,
  submitted_by: (batch) => batch.submittedBy,
  finalized_at: (batch) => batch.finalizedAt,
  cancelled_at: (batch) => batch.cancelledAt,
  cancelled_by: (batch) => batch.cancelledBy,
  cancel_reason: (batch) => batch.cancelReason,
  held_at: (batch) => batch.heldAt,
  held_by: (batch) => batch.heldBy,
  hold_reason: (batch) => batch.holdReason,
  awaits_approval: (batch) => (batch.awaitsApproval ? "yes" : ""),
  approved_at: (batch) => batch.approvedAt,
  approved_by: (batch) => batch.approvedBy,
  reverses: (batch) => batch.reverses,
};

export function GET(request: NextRequest): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const params = loadExportParams(request);
    const invalid = invalidParams(request.nextUrl.searchParams, params);
    if (invalid) throw invalid;
    const filters = BatchFiltersInput.safeParse(toFilters(params));
    if (!filters.success) throw invalidInput(filters.error);
    const pages = exportBatches(ctx, filters.data, sortOf(params));
    const day = new Date().toISOString().slice(0, 10);
    return csvReply(COLUMNS, pages, { name: `batches-${day}.csv`, requestId, request });
  });
}
