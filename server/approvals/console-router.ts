import { router, staffProcedure } from "../auth/procedures";
import { ApprovalsInput, DecideRuleInput, ProposeRuleInput } from "./console-schema";
import { decideRule } from "./decide-rule";
import { proposeRule } from "./propose-rule";
import { readApprovals } from "./read-approvals";

/** Rules on which batches need a second person. Every change needs a second admin. */
export const consoleApprovalsRouter = router({
  get: staffProcedure("viewer")
    .input(ApprovalsInput)
    .query(({ ctx, input }) => readApprovals(ctx, input)),
  propose: staffProcedure("admin")
    .input(ProposeRuleInput)
    .mutation(({ ctx, input }) => proposeRule(ctx, input)),
  approve: staffProcedure("admin")
    .input(DecideRuleInput)
    .mutation(({ ctx, input }) => decideRule(ctx, "approve", input)),
  reject: staffProcedure("admin")
    .input(DecideRuleInput)
    .mutation(({ ctx, input }) => decideRule(ctx, "reject", input)),
  withdraw: staffProcedure("admin")
    .input(DecideRuleInput)
    .mutation(({ ctx, input }) => decideRule(ctx, "withdraw", input)),
});
