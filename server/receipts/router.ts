import { contractProcedure, router } from "../auth/procedures";
import { BatchKeyInput } from "../kernel/values/batch-schema";
import { getReceipt, getRoot } from "./get-receipt";
import { GetReceiptReply, GetRootReply, ReceiptInput } from "./receipt-schema";

const ONE_BATCH = "/v1/contracts/{contractAddress}/batches/{batchId}";
const tags = ["Receipts"];

export const receiptsRouter = router({
  root: contractProcedure("batches:read")
    .meta({
      openapi: {
        method: "GET",
        path: `${ONE_BATCH}/root`,
        tags,
        summary: "Get the Merkle root of a batch",
        description:
          "Returns the root of a FINALIZED batch, to publish where recipients can find it, for example on a chain. Every receipt of the batch proves its transfer against this root. Requires the scope `batches:read`.",
      },
    })
    .input(BatchKeyInput)
    .output(GetRootReply)
    .query(async ({ ctx, input }) => ({ success: true as const, ...(await getRoot(ctx, input)) })),

  get: contractProcedure("batches:read")
    .meta({
      openapi: {
        method: "GET",
        path: `${ONE_BATCH}/receipts/{address}`,
        tags,
        summary: "Get a recipient's receipt",
        description:
          "Returns the transfer of a FINALIZED batch to this address, with a Merkle proof that anyone can check against the batch's root. Requires the scope `batches:read`.",
      },
    })
    .input(ReceiptInput)
    .output(GetReceiptReply)
    .query(async ({ ctx, input }) => ({ success: true as const, receipt: await getReceipt(ctx, input) })),
});
