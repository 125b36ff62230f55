import { createCallerFactory, openProcedure, router } from "../auth/procedures";
import type { ServiceContext } from "../kernel/context";
import { settings } from "../kernel/settings";
import { DomainError } from "../kernel/values/problems";
import { getReceipt } from "./get-receipt";
import { cachedWallet } from "./read-wallet";
import { ReceiptInput, type ReceiptOut } from "./receipt-schema";
import { WalletInput } from "./wallet-schema";

const ACTOR = "anyone";

const receiptsProcedure = openProcedure(() => settings().PUBLIC_RECEIPTS);

/** Without a token and without sign-in, for the pages in `app/r`. */
export const publicReceiptsRouter = router({
  wallet: receiptsProcedure
    .input(WalletInput)
    .query(({ ctx, input }) => cachedWallet({ ...ctx, actor: ACTOR }, input)),
  receipt: receiptsProcedure
    .input(ReceiptInput)
    .query(({ ctx, input }) => getPublicReceipt({ ...ctx, actor: ACTOR }, input)),
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
