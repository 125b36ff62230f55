import { router, staffProcedure } from "@/server/auth/procedures";
import { listActors, listAudit } from "./list-audit";
import { AuditListInput } from "./schema";

/** Changes made by team members and the command line. */
export const consoleAuditRouter = router({
  list: staffProcedure("viewer")
    .input(AuditListInput)
    .query(({ ctx, input }) => listAudit(ctx, input)),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
});
