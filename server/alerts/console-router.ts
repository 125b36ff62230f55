import { router, staffProcedure } from "../auth/procedures";
import { ListAlertsInput, SeenInput, TestInput } from "./console-schema";
import { describeChannels } from "./describe-channels";
import { listAlerts } from "./list-alerts";
import { markSeen } from "./mark-seen";
import { sendTest } from "./send-test";
import { summarizeAlerts } from "./summarize";

/** The alerts of the service, who has seen them, and where they are sent. */
export const consoleAlertsRouter = router({
  summary: staffProcedure("viewer").query(({ ctx }) => summarizeAlerts(ctx, ctx.staff.email)),
  list: staffProcedure("viewer")
    .input(ListAlertsInput)
    .query(({ ctx, input }) => listAlerts(ctx, ctx.staff.email, input)),
  markSeen: staffProcedure("viewer")
    .input(SeenInput)
    .mutation(({ ctx, input }) => markSeen(ctx, ctx.staff.email, input)),
  channels: staffProcedure("viewer").query(({ ctx }) => describeChannels(ctx)),
  sendTest: staffProcedure("admin")
    .input(TestInput)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
});
