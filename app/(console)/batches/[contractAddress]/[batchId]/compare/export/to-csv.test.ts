import { expect, test } from "vitest";
import { csvOfDifferences } from "./to-csv";

test("each recipient is a line, nothing is 0, a smaller amount stays a negative number, and no label is run as a formula", () => {
  const [one, other] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
  expect(
    csvOfDifferences([
      { toAddress: one, label: "=1+1", kind: "removed", before: "5.5", after: null, difference: "-5.5" },
      { toAddress: other, label: null, kind: "added", before: null, after: "3", difference: "3" },
    ]),
  ).toBe(
    [
      "to_address,label,change,before,after,difference",
      `${one},'=1+1,removed,5.5,0,-5.5`,
      `${other},,added,0,3,3`,
      "",
    ].join("\r\n"),
  );
});
