import { router, staffChange, staffProcedure } from "@/server/auth/procedures";
import { deleteView, listViews, SaveViewInput, saveView, ViewInput } from "./saved-views";

export const consoleViewsRouter = router({
  list: staffProcedure("viewer").query(({ ctx }) => listViews(ctx)),
  save: staffChange("viewer", SaveViewInput, saveView),
  delete: staffChange("viewer", ViewInput, deleteView),
});
