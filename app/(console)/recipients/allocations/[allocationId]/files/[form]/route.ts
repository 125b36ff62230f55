import type { NextRequest } from "next/server";
import { fileAllocationOf, hasFigures } from "@/app/(console)/recipients/allocations/file-allocation";
import { downloadOrProblem, parseInput, streamReply } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { FILES, type FileFormName, openFile } from "@/server/allocations/files/files";
import { getAllocation } from "@/server/allocations/list-allocations";
import { readClaims } from "@/server/allocations/read-claims";
import { AllocationInput } from "@/server/allocations/schema";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotBytes } from "@/server/ledger/snapshot-text";
import { exportContext } from "@/server/trpc/console-endpoint";
import { DomainError } from "@/terms/problems";

const isForm = (form: string): form is FileFormName => Object.hasOwn(FILES, form);

/** An allocation's claims in one of the forms that tools read. */
export const GET = (request: NextRequest, { params }: RouteProps<"allocationId" | "form">) =>
  downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const { allocationId, form } = await params;
    if (!isForm(form)) throw new DomainError("not_found", "There is no such form of an allocation.");
    const allocation = await getAllocation(ctx, parseInput(AllocationInput, { allocationId }));
    if (!hasFigures(allocation))
      throw invalid(`The allocation is ${allocation.status}. Only one that is READY has files.`);
    const { fileName, mediaType, content } = openFile(
      form,
      fileAllocationOf(allocation),
      readClaims(ctx.db.sql, snapshotBytes(allocationId), allocation.claims),
      request.nextUrl.searchParams.get("token") ?? "",
    );
    return streamReply({ name: fileName, mediaType, chunks: content }, requestId);
  });
