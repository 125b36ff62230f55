import { router, staffChange, staffQuery } from "@/server/auth/procedures";
import { describeRecipient } from "./describe-recipient";
import { setLabel } from "./labels";
import { listReceived, sumReceived } from "./list-received";
import { readHolding } from "./read-holding";
import { HoldingInput, ListReceivedInput, ReceivedFilters, RecipientInput, SetLabelInput } from "./schema";

export const consoleRecipientsRouter = router({
  get: staffQuery("viewer", RecipientInput, describeRecipient, "long"),
  holding: staffQuery("viewer", HoldingInput, readHolding, "long"),
  received: staffQuery("viewer", ListReceivedInput, listReceived),
  sums: staffQuery("viewer", ReceivedFilters, sumReceived, "long"),
  setLabel: staffChange("operator", SetLabelInput, setLabel),
});
