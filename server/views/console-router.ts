import { router, staffProcedure } from "../auth/procedures";
import { deleteView, renameView, saveView } from "./change-views";
import { RenameViewInput, SaveViewInput, ViewInput } from "./console-schema";
import { listViews } from "./list-views";

/** The lists of batches that each team member saved for themselves. */
export const consoleViewsRouter = router({
  list: staffProcedure("viewer").query(({ ctx }) => listViews(ctx)),
  save: staffProcedure("viewer")
    .input(SaveViewInput)
    .mutation(({ ctx, input }) => saveView(ctx, input)),
  rename: staffProcedure("viewer")
    .input(RenameViewInput)
    .mutation(({ ctx, input }) => renameView(ctx, input)),
  delete: staffProcedure("viewer")
    .input(ViewInput)
    .mutation(({ ctx, input }) => deleteView(ctx, input)),
});
