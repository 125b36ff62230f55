import { router, staffProcedure } from "../auth/procedures";
import { AuditListInput } from "./console-schema";
import { listActors, listAudit } from "./list-audit";

/** Changes made by team members and the command line. */
export const consoleAuditRouter = router({
  list: staffProcedure("viewer")
    .input(AuditListInput)
    .query(({ ctx, input }) => listAudit(ctx, input)),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
});
