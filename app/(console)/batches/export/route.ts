import type { NextRequest } from "next/server";
import { loadExportParams, sortOf, toFilters } from "@/app/(console)/batches/list-params";
import { type CsvColumns, csvFields } from "@/app/data/csv";
import { checkedParams, csvRoute, parseInput } from "@/app/data/csv-reply";
import { BatchFiltersInput, type ExportedBatch } from "@/server/batches/list/console-schema";
import { exportBatches } from "@/server/batches/list/export-batches";

const columns: CsvColumns<ExportedBatch> = {
  status: ({ status }) => status,
  batch_id: ({ id }) => id,
  ...csvFields<ExportedBatch>("contractLabel", "contractAddress", "pointType"),
  transfers: ({ transferCount }) => String(transferCount),
  ...csvFields<ExportedBatch>("points", "createdAt", "finalizeAt", "updatedAt", "submittedBy", "finalizedAt"),
  ...csvFields<ExportedBatch>("cancelledAt", "cancelledBy", "cancelReason", "heldAt", "heldBy", "holdReason"),
  awaits_approval: ({ awaitsApproval }) => (awaitsApproval ? "yes" : ""),
  ...csvFields<ExportedBatch>("approvedAt", "approvedBy", "reverses"),
  metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
};

export const GET = (request: NextRequest) =>
  csvRoute(request, async (ctx) => {
    const params = checkedParams(request, loadExportParams(request));
    const filters = parseInput(BatchFiltersInput, toFilters(params));
    const day = new Date().toISOString().slice(0, 10);
    return { name: `batches-${day}.csv`, columns, pages: exportBatches(ctx, filters, sortOf(params)) };
  });
