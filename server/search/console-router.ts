import { router, staffProcedure } from "../auth/procedures";
import { find } from "./find";
import { FindInput } from "./search-schema";

export const consoleSearchRouter = router({
  find: staffProcedure("viewer")
    .input(FindInput)
    .query(({ ctx, input }) => find(ctx, input.text)),
});
