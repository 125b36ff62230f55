import fc from "fast-check";
import { expect, test } from "vitest";
import { readStoredNumber } from "./stored-number";

test.each([
  ["1.1000000000000001", "1.1"],
  ["0.30000000000000004", "0.3"],
  ["434.99999999999994", "435"],
  ["1004.9999999999999", "1005"],
  ["99.999999999999986", "99.999999999999986"],
  ["99999.100000000006", "99999.1"],
  ["1E-3", "0.001"],
  ["1.5E+21", "1500000000000000000000"],
  ["1.2345678901234501E+16", "12345678901234500"],
  ["12345678901234567", "12345678901234567"],
  ["9007199254740993", "9007199254740993"],
  ["12345678901234501", "12345678901234501"],
  ["12345678.12345678", "12345678.12345678"],
  ["123456789012345678.123456789012", "123456789012345678.123456789012"],
  ["-0.5", "-0.5"],
  ["007", "7"],
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

test("a plain whole number keeps every digit", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 26n }), (amount) => {
      expect(readStoredNumber(String(amount))?.text).toBe(String(amount));
    }),
  );
});
