import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvCell, csvLine } from "./to-csv";

test("a line is read back as its cells, whatever they hold, but for the apostrophe before a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (cells) => {
      fc.pre(cells.some((cell) => cell !== ""));
      const [read] = Papa.parse<string[]>(csvLine(cells), { delimiter: ",", newline: "\r\n" }).data;
      expect(read).toEqual(cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)));
    }),
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])("%j is no formula for a spreadsheet", (cell) => {
  expect(csvCell(cell).replace(/^"/, "")).toMatch(/^'/);
});
