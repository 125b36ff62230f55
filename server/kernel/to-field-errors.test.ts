import { expect, test } from "vitest";
import { z } from "zod";
import { toFieldErrors } from "./to-domain-error";

test.each([
  [z.array(z.string()).min(1), [], "must have at least 1 entry"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
  [z.string().min(1), "", "must be at least 1 character"],
  [z.string().max(2), "abc", "must be at most 2 characters"],
  [z.number().min(3600), 1, "must be at least 3600"],
])("a limit that is exceeded is described in words: case %#", (schema, value, detail) => {
  const { error } = schema.safeParse(value);
  expect(toFieldErrors(error!.issues)).toMatchObject([{ code: "out_of_range", detail }]);
});
