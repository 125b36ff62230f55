import { z } from "zod";
import { contractProcedure, router, staffQuery } from "@/server/auth/procedures";
import { makeForecast } from "@/server/forecast/make-forecast";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { Balances, readBalances } from "@/server/ledger/accounts";
import { ContractInput } from "@/terms/batch-schema";
import { replyOf } from "@/terms/fields";
import { NamedBatchesInput, readNamed } from "./export-transfers";
import { makeStatement, makeStatements } from "./make-statement";
import { AllStatementsInput, GetStatementReply, StatementInput } from "./schema";

export const balancesRouter = router({
  get: contractProcedure("batches:read", "Balances", "GET /v1/contracts/{contractAddress}/point-balances", {
    summary: "Get a contract's balances by point type",
    description:
      "Returns the points that are available, reserved by pending batches, " +
      "and earned, received and sent in total.",
  })
    .input(ContractInput)
    .output(
      replyOf("PointBalances", {
        balancesByPointType: z
          .strictObject({ PHASE2_POINTS: Balances, PHASE2_GOLD: Balances })
          .meta({ description: "The contract's balances in every point type." }),
      }),
    )
    .query(async ({ ctx, input }) => ({
      balancesByPointType: await readBalances(ctx.db, addressToBytes(input.contractAddress)),
    })),
});

export const statementsRouter = router({
  get: contractProcedure("batches:read", "Balances", "GET /v1/contracts/{contractAddress}/statements", {
    summary: "Get a contract's statements for a month",
    description:
      "Returns, per point type, what the contract held when the month began, what was issued, received and " +
      "sent in it, and what the contract held when it ended. Months are calendar months in UTC. For the " +
      "current month, these are the figures so far.",
  })
    .input(StatementInput)
    .output(GetStatementReply)
    .query(async ({ ctx, input }) => {
      const { contractLabel, readAt, firstMonth, currentMonth, ...month } = await makeStatement(ctx, input);
      return month;
    }),
});

export const consoleStatementsRouter = router({
  get: staffQuery("viewer", StatementInput, makeStatement, "long"),
  all: staffQuery(
    "viewer",
    AllStatementsInput,
    (ctx, input) => makeStatements(ctx, input, { moved: true }),
    "long",
  ),
  named: staffQuery("viewer", NamedBatchesInput, readNamed),
});

export const consoleForecastRouter = router({
  get: staffQuery("viewer", ContractInput, makeForecast, "long"),
});
