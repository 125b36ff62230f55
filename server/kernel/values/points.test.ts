import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPoints, isAtLeast, isPoints, parsePoints, shortestPoints, sumPoints } from "./points";

const NOT_AMOUNTS = [
  ..."1e3 1E3 -0 +1 -1 1. .5 . NaN Infinity -Infinity 0x10 1,000 1_000 1.000,5 １２ ٣ 00 007 01.5".split(" "),
  ..."0.1234567890123 1.5.5 1/2 ½ 1n null $1".split(" "),
  ...["", " 1", "1 ", "\t1", "1 000", "1\n", "\n1", "1\u0000", "\ud800", "1".repeat(100_000)],
  ...[`1${"0".repeat(26)}`, `1${"0".repeat(40)}`],
];
const UNITS_MAX = 10n ** 38n - 1n;
const written = (value: bigint, isLong: boolean) => {
  const [whole, fraction = ""] = formatPoints(value).split(".");
  return isLong ? `${whole}.${fraction.padEnd(12, "0")}` : formatPoints(value);
};
const units = fc.bigInt({ min: 0n, max: UNITS_MAX });

describe("amounts", () => {
  test("survive formatting in shortest exact form and parsing, also with trailing zeros", () => {
    fc.assert(
      fc.property(units, (value) => {
        const text = formatPoints(value);
        expect(isPoints(text) && !/\.\d*0$|\.$/.test(text)).toBe(true);
        for (const form of [text, written(value, true)]) {
          expect(parsePoints(form)).toBe(value);
          expect(shortestPoints(form)).toBe(text);
        }
      }),
    );
  });

  test("add up exactly, regardless of their number and length", () => {
    const amounts = fc.array(
      fc.tuple(fc.oneof(units, fc.bigInt({ min: 0n, max: 10n ** 24n })), fc.boolean()),
      {
        maxLength: 50,
      },
    );
    fc.assert(
      fc.property(amounts, (drawn) => {
        const sum = drawn.reduce((total, [value]) => total + value, 0n);
        expect(sumPoints(drawn.map(([value, isLong]) => written(value, isLong)))).toBe(sum);
      }),
    );
    const largest = "999999999999.999999999999";
    expect(sumPoints(Array<string>(10_000).fill(largest))).toBe(parsePoints(largest) * 10_000n);
  });
});

describe("amounts at the limits", () => {
  test.each([
    ["0", 0n],
    ["0.000000000001", 1n],
    ["1", 10n ** 12n],
    ["10.50", 10_500_000_000_000n],
    ["9".repeat(26), (10n ** 26n - 1n) * 10n ** 12n],
    [`${"9".repeat(26)}.${"9".repeat(12)}`, UNITS_MAX],
  ])("%s", (text, value) => expect(parsePoints(text)).toBe(value));

  test.each([
    ["0.01", "0.01", true],
    ["0.01", "0.010", true],
    ["1", "1.000000000000", true],
    ["0.009999999999", "0.01", false],
    ["10", "9.999999999999", true],
  ])("whether %s is at least %s is %s", (value, least, expected) =>
    expect(isAtLeast(value, least)).toBe(expected),
  );

  test("any other text is rejected", () => {
    for (const text of NOT_AMOUNTS) {
      expect(isPoints(text), text.slice(0, 60)).toBe(false);
      expect(() => parsePoints(text)).toThrow(RangeError);
    }
  });
});
