import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvCell, csvLine } from "./to-csv";

test("any cells survive a round trip, except for the apostrophe added before a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (cells) => {
      fc.pre(cells.some((cell) => cell !== ""));
      const [read] = Papa.parse<string[]>(csvLine(cells), { delimiter: ",", newline: "\r\n" }).data;
      expect(read).toEqual(cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)));
    }),
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])(
  "%j is not run as a formula by a spreadsheet",
  (cell) => {
    expect(csvCell(cell).replace(/^"/, "")).toMatch(/^'/);
  },
);
