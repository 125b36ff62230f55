import { router, staffChange, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { decideChange, proposeChange } from "./changes";
import { readApprovals } from "./read-approvals";
import { ApprovalsInput, DecideChangeInput, ProposeChangeInput } from "./schema";

/** Rules on which batches need a second person, and the changes of a contract that need a second admin. */
export const consoleApprovalsRouter = router({
  get: staffQuery("viewer", ApprovalsInput, readApprovals),
  propose: staffChange("admin", ProposeChangeInput, proposeChange),
  approve: staffProcedure("admin")
    .input(DecideChangeInput)
    .mutation(({ ctx, input }) => decideChange(ctx, "approve", input)),
  reject: staffProcedure("admin")
    .input(DecideChangeInput)
    .mutation(({ ctx, input }) => decideChange(ctx, "reject", input)),
  withdraw: staffProcedure("admin")
    .input(DecideChangeInput)
    .mutation(({ ctx, input }) => decideChange(ctx, "withdraw", input)),
});
