import type { NextRequest } from "next/server";
import { downloadOrProblem, parseInput, streamReply } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { allocationFile } from "@/server/allocations/files/allocation-file";
import { FILES, type FileFormName } from "@/server/allocations/files/files";
import { AllocationInput } from "@/server/allocations/schema";
import { exportContext } from "@/server/trpc/console-endpoint";
import { DomainError } from "@/terms/problems";

const isForm = (form: string): form is FileFormName => Object.hasOwn(FILES, form);

/** An allocation's claims in one of the forms that tools read. */
export const GET = (request: NextRequest, { params }: RouteProps<"allocationId" | "form">) =>
  downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const { allocationId, form } = await params;
    if (!isForm(form)) throw new DomainError("not_found", "There is no such form of an allocation.");
    const { fileName, mediaType, content } = await allocationFile(ctx, {
      ...parseInput(AllocationInput, { allocationId }),
      form,
      tokenAddress: request.nextUrl.searchParams.get("token") ?? undefined,
    });
    return streamReply({ name: fileName, mediaType, chunks: content }, requestId);
  });
