import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvCell, csvLine } from "./csv";

test("any cells survive a round trip, except for the apostrophe added before a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (cells) => {
      fc.pre(cells.some((cell) => cell !== ""));
      const [read] = Papa.parse<string[]>(csvLine(cells), { delimiter: ",", newline: "\r\n" }).data;
      const isUnguarded = (cell: string) => !/[=+\-@＝＋－＠\t\r]/.test(cell);
      const without = (cell: string) => cell.replaceAll("'", "");
      expect(read!.map(without)).toEqual(cells.map(without));
      expect(read!.filter((_, at) => isUnguarded(cells[at]!))).toEqual(cells.filter(isUnguarded));
    }),
  );
});

test.each([
  "=1+1",
  "+1",
  "-1+1",
  "@SUM(A1)",
  "\tx",
  "\rx",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  " =1+1",
  '"=1+1',
])("%j is not run as a formula by a spreadsheet", (cell) => {
  expect(csvCell(cell).replace(/^"/, "")).toMatch(/^'/);
});

test.each(["a;=1+1", "a;+1;-1", "a;＝1", 'a";"=1+1', "a; =1+1", "a\n=1+1", "a\r=1+1", "a;\t=1+1"])(
  "no part of %j is run as a formula, wherever semicolons or lines split it",
  (cell) => {
    const parts = csvLine(["x", cell]).split(/[;\r\n]/);
    for (const part of parts) expect(part.replaceAll(/["\s]/g, "")).not.toMatch(/^[=+\-@＝＋－＠]/);
  },
);
