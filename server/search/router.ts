import { router, staffQuery } from "@/server/auth/procedures";
import { find } from "./find";
import { FindInput } from "./schema";

export const consoleSearchRouter = router({
  find: staffQuery("viewer", FindInput, (ctx, input) => find(ctx, input.text)),
});
