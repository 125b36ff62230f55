import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPoints } from "@/server/kernel/values/points";
import {
  detectFormat,
  NUMBER_FORMATS,
  type NumberFormat,
  readAmount,
  readStoredNumber,
} from "./number-format";

/** Writes an amount as a spreadsheet with this format would. */
function write(amount: string, format: NumberFormat, space = " "): string {
  const decimal = format.at(-3)!;
  const group = format[1] === " " ? space : format[1]!;
  const [whole = "", fraction] = amount.split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

const amounts = fc.bigInt({ min: 1n, max: 10n ** 38n - 1n }).map(formatPoints);
const formats = fc.constantFrom(...NUMBER_FORMATS);
const spaces = fc.constantFrom(" ", "\u00a0", "\u2007", "\u2009", "\u202f");

describe("any amount", () => {
  test("is read back exactly from the format in which it was written", () => {
    fc.assert(
      fc.property(amounts, formats, spaces, (amount, format, space) => {
        expect(readAmount(write(amount, format, space), format)).toBe(amount);
      }),
    );
  });

  test("is never read as another amount by the detected format, whatever is in its column", () => {
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 8 }), formats, (column, format) => {
        const { detected } = detectFormat(column.map((amount) => write(amount, format)));
        if (detected === null) return;
        for (const amount of column)
          expect([amount, null]).toContain(readAmount(write(amount, format), detected));
      }),
    );
  });
});

describe("the format of a column", () => {
  test.each([
    ["1,234.56", ["1,234.56", "7"]],
    ["1,234.56", ["1,234", "10.5"]],
    ["1,234.56", ["12,34,567.5"]],
    ["1,234.56", ["0.125", "1.234"]],
    ["1.234,56", ["1.234", "0,5"]],
    ["1.234,56", ["1.234.567"]],
    ["1 234,56", ["1\u202f234,567", "1\u00a0000"]],
    ["1 234.56", ["1 234.5"]],
    ["1'234.56", ["1'234.5", "1’000"]],
    ["1,234.56", ["USD 1,234.56", "USD 1,000"]],
  ] as const)("is %s for %j", (format, values) => {
    expect(detectFormat(values).detected).toBe(format);
  });

  test.each([
    [["1,234"], ["1234", "1.234"]],
    [
      ["1.234", "12", "2.500"],
      ["15.734", "3746"],
    ],
    [
      ["1,234", "10.5", "10,5"],
      ["1244.5", "11.734"],
    ],
    [["1.234 €"], ["1234", "1.234"]],
    [
      ["USD 1,234", "7"],
      ["1241", "8.234"],
    ],
    [["+1.234", "01,000"], []],
  ] as const)("is left to the user for %j, with both sums", (values, sums) => {
    const { detected, readings } = detectFormat(values);
    expect(detected).toBeNull();
    expect(readings.map(({ sum }) => sum)).toEqual(expect.arrayContaining([...sums]));
  });

  test("is shown with three examples that distinguish formats, and the exact sum", () => {
    const { readings } = detectFormat(["1", "2", "3", "1.234,5", "0,1", "0,2", "0,3"]);
    expect(readings[0]).toEqual({
      format: "1.234,56",
      count: 7,
      sum: "1241.1",
      examples: [
        { given: "1.234,5", amount: "1234.5" },
        { given: "0,1", amount: "0.1" },
        { given: "0,2", amount: "0.2" },
      ],
    });
  });

  test("is not decided by number cells, which are exact in every format", () => {
    const { detected, readings } = detectFormat(["1.234"], ["0.5"]);
    expect(detected).toBeNull();
    expect(readings.map(({ sum }) => sum).sort()).toEqual(["1.734", "1234.5"]);
  });
});

test.each([
  ["1.1000000000000001", "1.1"],
  ["0.30000000000000004", "0.3"],
  ["434.99999999999994", "435"],
  ["99.999999999999986", "99.999999999999986"],
  ["1.5E+21", "1500000000000000000000"],
  ["1.2345678901234501E+16", "12345678901234500"],
  ["12345678901234501", "12345678901234501"],
  ["123456789012345678.123456789012", "123456789012345678.123456789012"],
  ["-0.5", "-0.5"],
  ["0.0", "0"],
])("a cell that stores %s contains %s", (stored, text) => {
  expect(readStoredNumber(stored)?.text).toBe(text);
});

test.each(["", "abc", "1,5", "1e9999", "1E+61", "NaN", "1.2.3"])("%j is not a number", (stored) => {
  expect(readStoredNumber(stored)).toBeNull();
});

test("any amount of up to 15 digits survives the way a spreadsheet stores it, in 17 binary digits", () => {
  const amounts = fc.tuple(fc.integer({ min: 1, max: 10 ** 15 - 1 }), fc.integer({ min: 0, max: 12 }));
  fc.assert(
    fc.property(amounts, ([digits, decimals]) => {
      const written = String(digits).padStart(decimals + 1, "0");
      const whole = written.slice(0, written.length - decimals);
      const fraction = written.slice(written.length - decimals).replace(/0+$/, "");
      const amount = fraction ? `${whole}.${fraction}` : whole;
      // Both forms in which programs write the same binary number.
      for (const stored of [Number(amount).toPrecision(17), String(Number(amount))])
        expect(readStoredNumber(stored)?.text).toBe(amount);
    }),
    { numRuns: 1000 },
  );
});
