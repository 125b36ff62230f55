import { z } from "zod";
import { rule } from "../kernel/values/fields";
import { VIEW_NAME_CHARS_MAX, VIEW_QUERY_CHARS_MAX } from "./bounds";

const NameField = z
  .string()
  .trim()
  .min(1)
  .max(VIEW_NAME_CHARS_MAX)
  .refine(
    (value) => !/[\0\p{Surrogate}]/u.test(value),
    rule("invalid_value", "contains a character that cannot be stored"),
  );

export const SaveViewInput = z.strictObject({
  name: NameField,
  /** The query of a list's URL, without the question mark. */
  query: z
    .string()
    .max(VIEW_QUERY_CHARS_MAX)
    .regex(/^[\w%.,:;~!*'()@$/?+&=-]*$/, "must be the query of a URL"),
});
export type SaveViewInput = z.output<typeof SaveViewInput>;

export const ViewInput = z.strictObject({ viewId: z.uuid() });
export type ViewInput = z.output<typeof ViewInput>;

export const RenameViewInput = ViewInput.extend({ name: NameField });
export type RenameViewInput = z.output<typeof RenameViewInput>;

/** A list of batches that the user saved. */
export interface SavedView {
  id: string;
  name: string;
  query: string;
}
