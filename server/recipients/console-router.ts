import { router, staffProcedure } from "../auth/procedures";
import { ListReceivedInput, RecipientInput } from "./console-schema";
import { describeRecipient } from "./describe-recipient";
import { listReceived } from "./list-received";

/** Received and pending points of an address, over all contracts. */
export const consoleRecipientsRouter = router({
  get: staffProcedure("viewer")
    .input(RecipientInput)
    .query(({ ctx, input }) => describeRecipient(ctx, input)),
  received: staffProcedure("viewer")
    .input(ListReceivedInput)
    .query(({ ctx, input }) => listReceived(ctx, input)),
});
