import { expect, test } from "vitest";
import { coversDocument } from "@/testing/document/covers-document";
import { operations } from "@/testing/document/replies";
import { OPERATION_ROWS } from "@/testing/document/requests";

test("every operation in the document has test requests", () => {
  expect(Object.keys(OPERATION_ROWS).sort()).toEqual(operations.map(({ id }) => id).sort());
});

coversDocument("host");
