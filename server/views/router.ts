import { router, staffProcedure } from "@/server/auth/procedures";
import { deleteView, listViews, renameView, saveView } from "./saved-views";
import { RenameViewInput, SaveViewInput, ViewInput } from "./schema";

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
