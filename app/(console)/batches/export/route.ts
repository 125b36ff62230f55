import type { NextRequest } from "next/server";
import { loadExportParams, sortOf, toFilters } from "@/app/(console)/batches/list-params";
import { checkedParams, csvRoute, parseInput } from "@/app/data/csv-reply";
import { BatchFiltersInput } from "@/server/batches/list/console-schema";
import { exportBatches } from "@/server/batches/list/export-batches";
import { columnsOfBatches } from "./batch-columns";

export const GET = (request: NextRequest) =>
  csvRoute(request, async (ctx) => {
    const params = checkedParams(request, loadExportParams(request));
    const filters = parseInput(BatchFiltersInput, toFilters(params));
    const which = Object.keys(filters).length > 0 ? "filtered-batches" : "batches";
    return {
      name: `${which}-${new Date().toISOString().slice(0, 10)}.csv`,
      columns: columnsOfBatches(),
      pages: exportBatches(ctx, filters, sortOf(params)),
    };
  });
