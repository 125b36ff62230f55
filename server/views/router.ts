import { router, staffChange, staffProcedure } from "@/server/auth/procedures";
import { deleteView, listViews, renameView, saveView } from "./saved-views";
import { RenameViewInput, SaveViewInput, ViewInput } from "./schema";

export const consoleViewsRouter = router({
  list: staffProcedure("viewer").query(({ ctx }) => listViews(ctx)),
  save: staffChange("viewer", SaveViewInput, saveView),
  rename: staffChange("viewer", RenameViewInput, renameView),
  delete: staffChange("viewer", ViewInput, deleteView),
});
