import { router, staffProcedure } from "../auth/procedures";
import { AuditListInput } from "./console-schema";
import { listActors } from "./list-actors";
import { listAudit } from "./list-audit";

/** What people and the command line changed. */
export const consoleAuditRouter = router({
  list: staffProcedure("viewer")
    .input(AuditListInput)
    .query(({ ctx, input }) => listAudit(ctx, input)),
  actors: staffProcedure("viewer").query(({ ctx }) => listActors(ctx)),
});
