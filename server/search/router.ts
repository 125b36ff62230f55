import { z } from "zod";
import { router, staffQuery } from "@/server/auth/procedures";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";
import { find } from "./find";

const FindInput = z.strictObject({ text: z.string().max(SEARCH_CHARS_MAX) });

export const consoleSearchRouter = router({
  find: staffQuery("viewer", FindInput, (ctx, input) => find(ctx, input.text)),
});
