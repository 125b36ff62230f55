import { router, staffProcedure } from "../auth/procedures";
import { describeChannels } from "./channels";
import { ListAlertsInput, SeenInput, TestInput } from "./console-schema";
import { listAlerts, markSeen, summarizeAlerts } from "./inbox";
import { sendTest } from "./send-test";

export const consoleAlertsRouter = router({
  summary: staffProcedure("viewer").query(({ ctx }) => summarizeAlerts(ctx, ctx.staff.email)),
  list: staffProcedure("viewer")
    .input(ListAlertsInput)
    .query(({ ctx, input }) => listAlerts(ctx, ctx.staff.email, input)),
  markSeen: staffProcedure("viewer")
    .input(SeenInput)
    .mutation(({ ctx, input }) => markSeen(ctx, ctx.staff.email, input)),
  channels: staffProcedure("viewer").query(({ ctx }) => describeChannels(ctx)),
  sendTest: staffProcedure("admin", "long")
    .input(TestInput)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
});
