import { z } from "zod";
import { router, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { cached } from "@/server/kernel/cached";
import { RANGE_SHAPES, RANGES } from "./chart-ranges";
import { measureFinalizing, readLoad } from "./measure";
import { listRuns, readSelfCheck, readState } from "./read-state";
import { checkNow, readRun, runNow } from "./run-now";

/** It changes slowly, and may read many batches. */
const LOAD_KEPT_SECONDS = 30;

export const consoleOperationsRouter = router({
  state: staffProcedure("viewer").query(({ ctx }) => readState(ctx)),
  finalizing: staffProcedure("viewer", "long")
    .input(z.strictObject({ range: z.enum(RANGES) }))
    .query(({ ctx, input: { range } }) =>
      cached("finalizing", range, RANGE_SHAPES[range].keptSeconds, () => measureFinalizing(ctx.db, range)),
    ),
  load: staffProcedure("viewer", "long").query(({ ctx }) =>
    cached("load", "", LOAD_KEPT_SECONDS, () => readLoad(ctx.db)),
  ),
  runs: staffQuery("viewer", z.strictObject({ failedOnly: z.boolean() }), listRuns),
  selfCheck: staffProcedure("viewer").query(({ ctx }) => readSelfCheck(ctx)),
  checkNow: staffProcedure("operator").mutation(({ ctx }) => checkNow(ctx)),
  runNow: staffProcedure("operator").mutation(({ ctx }) => runNow(ctx)),
  run: staffQuery("viewer", z.strictObject({ runId: z.uuid() }), readRun),
});
