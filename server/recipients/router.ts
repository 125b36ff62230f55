import { router, staffProcedure } from "@/server/auth/procedures";
import { describeRecipient } from "./describe-recipient";
import { setLabel } from "./labels";
import { listReceived, sumReceived } from "./list-received";
import { ListReceivedInput, ReceivedFilters, RecipientInput, SetLabelInput } from "./schema";

/** Received and pending points of an address, over all contracts. */
export const consoleRecipientsRouter = router({
  get: staffProcedure("viewer", "long")
    .input(RecipientInput)
    .query(({ ctx, input }) => describeRecipient(ctx, input)),
  received: staffProcedure("viewer")
    .input(ListReceivedInput)
    .query(({ ctx, input }) => listReceived(ctx, input)),
  sums: staffProcedure("viewer", "long")
    .input(ReceivedFilters)
    .query(({ ctx, input }) => sumReceived(ctx, input)),
  setLabel: staffProcedure("operator")
    .input(SetLabelInput)
    .mutation(({ ctx, input }) => setLabel(ctx, input)),
});
