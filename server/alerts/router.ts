import { router, staffChange, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { ListEndedInput, listEnded, SeenInput } from "./inbox";
import { markSeen, readQueue, summarizeQueue } from "./queue";
import { describeChannels, sendTestAlert, TestInput } from "./send-alerts";

export const consoleAlertsRouter = router({
  summary: staffProcedure("viewer").query(({ ctx }) => summarizeQueue(ctx)),
  queue: staffProcedure("viewer").query(({ ctx }) => readQueue(ctx)),
  ended: staffQuery("viewer", ListEndedInput, listEnded),
  markSeen: staffChange("viewer", SeenInput, markSeen),
  channels: staffProcedure("viewer").query(({ ctx }) => describeChannels(ctx)),
  sendTest: staffChange("admin", TestInput, sendTestAlert, "long"),
});
