import type { NextRequest } from "next/server";
import { listDifferences } from "@/server/batches/compare/compare-batches";
import { CompareInput } from "@/server/batches/list/console-schema";
import { invalidInput } from "@/server/kernel/to-domain-error";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { DomainError } from "@/server/kernel/values/problems";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem } from "../../../../../../data/csv-reply";
import { readBatchKey } from "../../../../paths";
import { DIFFERENCE_COLUMNS } from "./to-csv";

/** The differences between two batches, all or those of one kind, as CSV in the order of the page. */
export function GET(request: NextRequest, { params }: { params: Promise<BatchKey> }) {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const key = readBatchKey(await params);
    if (!key) throw new DomainError("batch_not_found", "There is no batch at this address.");
    const input = CompareInput.safeParse({
      ...key,
      withId: request.nextUrl.searchParams.get("with"),
      show: request.nextUrl.searchParams.get("show") ?? undefined,
    });
    if (!input.success) throw invalidInput(input.error);
    const differences = await listDifferences(ctx, input.data);
    const name = `compare-${input.data.batchId}-${input.data.withId}.csv`.replaceAll(":", "_");
    return csvReply(DIFFERENCE_COLUMNS, [differences], { name, requestId, request });
  });
}
