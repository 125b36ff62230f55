import { z } from "zod";
import { router, staffProcedure } from "../auth/procedures";
import { cachedMeasures } from "./cached-measures";
import { checkNow } from "./check-now";
import { readSelfCheck } from "./last-check";
import { listRuns } from "./list-runs";
import { RANGES } from "./ranges";
import { readSizes } from "./read-sizes";
import { readState } from "./read-state";
import { runNow } from "./run-now";

/** The Operations page: the state of finalizing, and the actions that staff can take. */
export const consoleOperationsRouter = router({
  state: staffProcedure("viewer").query(({ ctx }) => readState(ctx)),
  finalizing: staffProcedure("viewer")
    .input(z.strictObject({ range: z.enum(RANGES) }))
    .query(({ ctx, input }) => cachedMeasures(ctx.db, input.range)),
  runs: staffProcedure("viewer")
    .input(z.strictObject({ failedOnly: z.boolean() }))
    .query(({ ctx, input }) => listRuns(ctx, input)),
  sizes: staffProcedure("viewer").query(({ ctx }) => readSizes(ctx)),
  selfCheck: staffProcedure("viewer").query(({ ctx }) => readSelfCheck(ctx)),
  checkNow: staffProcedure("operator").mutation(({ ctx }) => checkNow(ctx)),
  runNow: staffProcedure("operator").mutation(({ ctx }) => runNow(ctx)),
});
