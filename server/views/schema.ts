import { z } from "zod";
import { textField } from "@/server/kernel/values/fields";

export const VIEWS_MAX = 50;
const QUERY_CHARS_MAX = 2000;

export const SaveViewInput = z.strictObject({
  name: textField(1, 60),
  query: z
    .string()
    .max(QUERY_CHARS_MAX)
    .regex(/^[\w%.,:;~!*'()@$/?+&=-]*$/, "must be the query of a URL"),
});
export type SaveViewInput = z.output<typeof SaveViewInput>;

export const ViewInput = z.strictObject({ viewId: z.uuid() });
export type ViewInput = z.output<typeof ViewInput>;

export type SavedView = { id: string; name: string; query: string };
