import { expect, test } from "vitest";
import { csvOfDifferences } from "./to-csv";

test("each recipient is a line, nothing is 0, and a smaller amount stays a negative number", () => {
  const [one, other] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
  expect(
    csvOfDifferences([
      { toAddress: one, kind: "removed", before: "5.5", after: null, difference: "-5.5" },
      { toAddress: other, kind: "added", before: null, after: "3", difference: "3" },
    ]),
  ).toBe(
    [
      "to_address,change,before,after,difference",
      `${one},removed,5.5,0,-5.5`,
      `${other},added,0,3,3`,
      "",
    ].join("\r\n"),
  );
});
