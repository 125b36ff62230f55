import { router, staffProcedure } from "../auth/procedures";
import { ListReceivedInput, ReceivedFilters, RecipientInput, SetLabelInput } from "./console-schema";
import { describeRecipient } from "./describe-recipient";
import { setLabel } from "./labels";
import { listReceived } from "./list-received";
import { sumReceived } from "./sum-received";

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
