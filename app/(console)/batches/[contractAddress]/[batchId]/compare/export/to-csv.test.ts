import { expect, test } from "vitest";
import { csvPages } from "../../../../../../data/csv";
import { DIFFERENCE_COLUMNS } from "./to-csv";

test("each recipient is a line, nothing is 0, a smaller amount stays a negative number, and no label is run as a formula", async () => {
  const [one, other] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
  const { value } = await csvPages(DIFFERENCE_COLUMNS, [
    [
      { toAddress: one, label: "=1+1", kind: "removed", before: "5.5", after: null, difference: "-5.5" },
      { toAddress: other, label: null, kind: "added", before: null, after: "3", difference: "3" },
    ],
  ]).next();
  expect(value).toBe(
    [
      "to_address,label,change,before,after,difference",
      `${one},'=1+1,removed,5.5,0,-5.5`,
      `${other},,added,0,3,3`,
      "",
    ].join("\r\n"),
  );
});
