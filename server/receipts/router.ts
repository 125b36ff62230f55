import { contractProcedure, createCallerFactory, openProcedure, router } from "@/server/auth/procedures";
import type { ServiceContext } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { HoldingInput, RecipientInput } from "@/server/recipients/schema";
import { BatchKeyInput } from "@/terms/batch-schema";
import { DomainError } from "@/terms/problems";
import { getReceipt, getRoot } from "./get-receipt";
import { cachedClaims, cachedHolding, cachedWallet } from "./read-wallet";
import { GetReceiptReply, GetRootReply, ReceiptInput, type ReceiptOut, WalletInput } from "./schema";

const ONE_BATCH = "/v1/contracts/{contractAddress}/batches/{batchId}";

export const receiptsRouter = router({
  root: contractProcedure("batches:read", "Receipts", `GET ${ONE_BATCH}/root`, {
    summary: "Get the Merkle root of a batch",
    description:
      "Returns the root of a FINALIZED batch, to publish where recipients can find it, for example on a " +
      "chain. Every receipt of the batch proves its transfer against this root.",
  })
    .input(BatchKeyInput)
    .output(GetRootReply)
    .query(({ ctx, input }) => getRoot(ctx, input)),

  get: contractProcedure("batches:read", "Receipts", `GET ${ONE_BATCH}/receipts/{address}`, {
    summary: "Get a recipient's receipt",
    description:
      "Returns the transfer of a FINALIZED batch to this address, " +
      "with a Merkle proof that anyone can check against the batch's root.",
  })
    .input(ReceiptInput)
    .output(GetReceiptReply)
    .query(async ({ ctx, input }) => ({ receipt: await getReceipt(ctx, input) })),
});

const receiptsProcedure = openProcedure(() => settings().PUBLIC_RECEIPTS).use(({ next }) =>
  next({ ctx: { actor: "anyone" } }),
);

export const publicReceiptsRouter = router({
  wallet: receiptsProcedure.input(WalletInput).query(({ ctx, input }) => cachedWallet(ctx, input)),
  holding: receiptsProcedure.input(HoldingInput).query(({ ctx, input }) => cachedHolding(ctx, input)),
  claims: receiptsProcedure.input(RecipientInput).query(({ ctx, input }) => cachedClaims(ctx, input)),
  receipt: receiptsProcedure.input(ReceiptInput).query(({ ctx, input }) => getPublicReceipt(ctx, input)),
});

export const createPublicCaller = createCallerFactory(publicReceiptsRouter);

/** Visitors must not learn whether a batch that does not pay the address exists, or its status. */
const HIDDEN = new Set(["batch_not_found", "batch_not_finalized", "receipt_not_found"]);

/** @throws DomainError `receipt_not_found` */
async function getPublicReceipt(ctx: ServiceContext, input: ReceiptInput): Promise<ReceiptOut> {
  try {
    return await getReceipt(ctx, input);
  } catch (error) {
    if (!(error instanceof DomainError && HIDDEN.has(error.code))) throw error;
    throw new DomainError(
      "receipt_not_found",
      `No finalized batch ${input.batchId} of ${input.contractAddress} pays ${input.address}.`,
    );
  }
}
