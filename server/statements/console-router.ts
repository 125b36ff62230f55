import { router, staffProcedure } from "../auth/procedures";
import { makeStatement } from "./make-statement";
import { StatementInput } from "./statement-schema";

/** Monthly statements in the console: the same figures as in the API. */
export const consoleStatementsRouter = router({
  get: staffProcedure("viewer", "long")
    .input(StatementInput)
    .query(({ ctx, input }) => makeStatement(ctx, input)),
});
