import { router, staffProcedure } from "@/server/auth/procedures";
import { find } from "./find";
import { FindInput } from "./schema";

export const consoleSearchRouter = router({
  find: staffProcedure("viewer")
    .input(FindInput)
    .query(({ ctx, input }) => find(ctx, input.text)),
});
