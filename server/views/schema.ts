import { z } from "zod";
import { rule } from "@/server/kernel/values/fields";

export const VIEWS_MAX = 50;
const NAME_CHARS_MAX = 60;
const QUERY_CHARS_MAX = 2000;

const NameField = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARS_MAX)
  .refine(
    (value) => !/[\0\p{Surrogate}]/u.test(value),
    rule("invalid_value", "contains a character that cannot be stored"),
  );

export const SaveViewInput = z.strictObject({
  name: NameField,
  query: z
    .string()
    .max(QUERY_CHARS_MAX)
    .regex(/^[\w%.,:;~!*'()@$/?+&=-]*$/, "must be the query of a URL"),
});
export type SaveViewInput = z.output<typeof SaveViewInput>;

export const ViewInput = z.strictObject({ viewId: z.uuid() });
export type ViewInput = z.output<typeof ViewInput>;

export type SavedView = { id: string; name: string; query: string };
