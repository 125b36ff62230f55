import { readBatchKey } from "@/app/(console)/batch-key";
import { downloadOrProblem } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { publicCaller } from "@/server/trpc/caller";
import { DomainError } from "@/terms/problems";

/** The receipt of a transfer to a wallet, as a file that docs/verify.md can check. */
export const GET = (request: Request, { params }: RouteProps<"address" | "contractAddress" | "batchId">) =>
  downloadOrProblem(async (requestId) => {
    const key = readBatchKey(await params);
    if (!key) throw new DomainError("not_found", "This path does not exist.");
    // A receipt never changes, but must not be shown once PUBLIC_RECEIPTS is off.
    const headers = new Headers({
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      "X-Robots-Tag": "noindex",
    });
    const caller = await publicCaller(request.headers, requestId, headers);
    const receipt = await caller.receipt({ address: (await params).address, ...key });
    headers.set("Content-Disposition", `attachment; filename="receipt-${nameOf(key.batchId)}.json"`);
    return Response.json(receipt, { headers });
  });

const nameOf = (batchId: string) => batchId.replaceAll(/[^\w.-]/g, "_");
