import { router, staffChange, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { ListAlertsInput, listAlerts, markSeen, SeenInput, summarizeAlerts } from "./inbox";
import { describeChannels, sendTest, TestInput } from "./send-alerts";

export const consoleAlertsRouter = router({
  summary: staffProcedure("viewer").query(({ ctx }) => summarizeAlerts(ctx, ctx.staff.email)),
  list: staffQuery("viewer", ListAlertsInput, listAlerts),
  markSeen: staffChange("viewer", SeenInput, (ctx, input) => markSeen(ctx, ctx.staff.email, input)),
  channels: staffProcedure("viewer").query(({ ctx }) => describeChannels(ctx)),
  sendTest: staffChange("admin", TestInput, sendTest, "long"),
});
