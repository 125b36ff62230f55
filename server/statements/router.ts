import { contractProcedure, router, staffQuery } from "../auth/procedures";
import { makeStatement } from "./make-statement";
import { GetStatementReply, StatementInput } from "./schema";

export const statementsRouter = router({
  get: contractProcedure("batches:read", "Balances", "GET /v1/contracts/{contractAddress}/statements", {
    summary: "Get a contract's statements for a month",
    description:
      "Returns, per point type, what the contract held when the month began, what was issued, received and sent in it, and what the contract held when it ended. Months are calendar months in UTC. For the current month, these are the figures so far.",
  })
    .input(StatementInput)
    .output(GetStatementReply)
    .query(async ({ ctx, input }) => {
      const { contractLabel, readAt, firstMonth, currentMonth, ...month } = await makeStatement(ctx, input);
      return { success: true as const, ...month };
    }),
});

export const consoleStatementsRouter = router({
  get: staffQuery("viewer", StatementInput, makeStatement, "long"),
});
