import { router, staffChange, staffQuery } from "@/server/auth/procedures";
import { ContractInput } from "@/terms/batch-schema";
import { decideChange, proposeChange, readApprovals } from "./changes";
import { DecideChangeInput, ProposeChangeInput } from "./schema";

/** Rules on which batches need a second person, and the changes of a contract that need a second admin. */
export const consoleApprovalsRouter = router({
  get: staffQuery("viewer", ContractInput, readApprovals),
  propose: staffChange("admin", ProposeChangeInput, proposeChange),
  approve: staffChange("admin", DecideChangeInput, (ctx, input) => decideChange(ctx, "approve", input)),
  reject: staffChange("admin", DecideChangeInput, (ctx, input) => decideChange(ctx, "reject", input)),
  withdraw: staffChange("admin", DecideChangeInput, (ctx, input) => decideChange(ctx, "withdraw", input)),
});
