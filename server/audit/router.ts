import { router, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { listActors, listAudit } from "./list-audit";
import { AuditListInput } from "./schema";

export const consoleAuditRouter = router({
  list: staffQuery("viewer", AuditListInput, listAudit),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
});
