import { downloadOrProblem, parseInput, streamReply } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { receiptsOf } from "@/server/receipts/get-receipt";
import { exportContext } from "@/server/trpc/console-endpoint";
import { BatchKeyInput } from "@/terms/batch-schema";

/** The receipts of a batch, one a line. docs/verify.md can check each. */
export const GET = (_: Request, { params }: RouteProps<"contractAddress" | "batchId">) =>
  downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const key = parseInput(BatchKeyInput, await params);
    async function* lines() {
      for await (const receipts of receiptsOf(ctx, key))
        yield receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join("");
    }
    const name = `receipts-${key.batchId.replaceAll(/[^\w.-]/g, "_")}.jsonl`;
    return streamReply({ name, mediaType: "application/jsonl", chunks: lines() }, requestId);
  });
