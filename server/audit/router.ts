import { router, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { AuditListInput, listActors, listAudit } from "./list-audit";

export const consoleAuditRouter = router({
  list: staffQuery("viewer", AuditListInput, listAudit),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
});
