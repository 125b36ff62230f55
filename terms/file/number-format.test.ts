import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPoints } from "@/terms/points";
import { checkTable, checkText, otherNotes } from "@/testing/check-text";
import { LIMITS, wallet } from "@/testing/factories";
import { writeWorkbook } from "@/testing/write-workbook";
import type { CheckedRows, Treatment } from "./checked";
import {
  detectFormat,
  NUMBER_FORMATS,
  type NumberFormat,
  readAmount,
  readStoredNumber,
} from "./number-format";
import { openWorkbook } from "./read-workbook";
import type { FixKind } from "./row-errors";

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
    ["1.234,56", ["1,500", "12,5", "0,75"]],
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
    [
      ["1.250", "12.5"],
      ["13.75", "1250"],
    ],
  ] as const)("is left to the user for %j, with both sums", (values, sums) => {
    const { detected, readings } = detectFormat(values);
    expect(detected).toBeNull();
    expect(readings.map(({ sum }) => sum)).toEqual(expect.arrayContaining([...sums]));
  });

  test("is shown with the exact sum", () => {
    const { readings } = detectFormat(["1", "2", "3", "1.234,5", "0,1", "0,2", "0,3"]);
    expect(readings[0]).toEqual({ format: "1.234,56", count: 7, sum: "1241.1" });
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
  // As Gnumeric writes it, with the noise of its own wider numbers, and as C prints it with 20 digits.
  ["5798662739.68000000017", "5798662739.68"],
  ["6279737578.97999999998", "6279737578.98"],
  ["0.0199999999999999999996", "0.02"],
  ["0.28999999999999998001", "0.29"],
  // Nearer to the next double than to that of its 15 digits.
  ["13843.699384306100007", "13843.6993843061"],
  ["1.9999999999999999999E-2", "0.02"],
  ["1234567.1234567834", "1234567.1234567834"],
  ["1234567.12345678912345", "1234567.12345678912345"],
  ["-0.5", "-0.5"],
  ["0.0", "0"],
])("a cell that stores %s contains %s", (stored, text) => {
  expect(readStoredNumber(stored)?.text).toBe(text);
});

test.each(["", "abc", "1,5", "1e9999", "1E+61", "NaN", "1.2.3"])("%j is not a number", (stored) => {
  expect(readStoredNumber(stored)).toBeNull();
});

const rules = {
  limits: { ...LIMITS, minimumPoints: { ...LIMITS.minimumPoints, PHASE2_POINTS: "0.000000000001" } },
};

/** As C, R and Postgres write it with an exponent. */
function scientific(plain: string): string {
  const [whole = "", fraction = ""] = plain.split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const exponent = whole.length - 1 - (whole.length + fraction.length - digits.length);
  const written = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0]}.${digits.slice(1)}e${exponent < 0 ? "-" : "+"}${written}`;
}

const fixing = (kind: FixKind, treatment: Partial<Treatment>) => ({
  ...rules,
  treatment: { ...treatment, fixes: [kind, ...(treatment.fixes ?? [])] },
});

/** The same stored text in each kind of file that New payout reads. */
const FILES: Record<string, (stored: string, treatment: Partial<Treatment>) => CheckedRows> = {
  "a workbook": (stored, treatment) => {
    const rows = [
      ["address", "amount"],
      [wallet(1), { stored }],
    ];
    return checkTable(openWorkbook(writeWorkbook([{ name: "Payouts", rows }])).read(0), {
      ...rules,
      treatment,
    });
  },
  CSV: (stored, treatment) => checkText(`address,amount\n${wallet(1)},${stored}\n`, { ...rules, treatment }),
  "quoted CSV": (stored, treatment) =>
    checkText(`address;amount\n${wallet(1)};"${stored}"\n`, {
      ...rules,
      treatment: { ...treatment, format: "1,234.56" },
    }),
  "CSV with exponents": (stored, treatment) =>
    checkText(`address,amount\n${wallet(1)},${scientific(stored)}\n`, fixing("exponent", treatment)),
  "CSV with a unit": (stored, treatment) =>
    checkText(`address,amount\n${wallet(1)},${stored} points\n`, fixing("form", treatment)),
  JSON: (stored, treatment) =>
    checkText(`[{"address":"${wallet(1)}","amount":${stored}}]`, { ...rules, treatment }),
};

/** An amount that a double keeps, and a text that some program writes of it: correct to 16 digits or more. */
const stored = fc
  .tuple(
    fc.integer({ min: 1, max: 10 ** 15 - 1 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 16, max: 25 }),
    fc.integer({ min: -9, max: 9 }),
  )
  .filter(([digits]) => digits % 10 !== 0)
  .map(([digits, decimals, kept, wider]) => {
    const amount = formatPoints(BigInt(digits) * 10n ** BigInt(12 - decimals));
    const [whole = "", fraction = ""] = amount.split(".");
    const leading = whole === "0" ? /^0*/.exec(fraction)![0].length : -whole.length;
    // Programs print the nearest double, or a number that is nearer than it.
    const printed = Number(amount).toFixed(Math.min(kept + leading, 40));
    const [, places = ""] = printed.split(".");
    const units = BigInt(`${whole}${fraction.padEnd(places.length, "0")}`) + BigInt(wider);
    const near = units.toString().padStart(places.length + 1, "0");
    const nearer = `${near.slice(0, near.length - places.length)}.${near.slice(near.length - places.length)}`;
    return { amount, texts: kept < 20 ? [printed] : [printed, nearer] };
  });

describe.each(Object.entries(FILES))("in %s", (_, check) => {
  test("an amount is the one that was meant, whatever noise a program writes behind its digits", () => {
    fc.assert(
      fc.property(stored, ({ amount, texts }) => {
        for (const text of texts) {
          const { transfers, errors } = check(text, { fixes: ["decimals"] });
          expect({ text, errors, paid: transfers[0]?.points }).toEqual({ text, errors: [], paid: amount });
        }
      }),
      { numRuns: 200 },
    );
  });

  test("such noise is never paid without a word", () => {
    fc.assert(
      fc.property(stored, ({ amount, texts }) => {
        for (const text of texts) {
          const { points, errors, doubts, fixes } = check(text, {});
          if (errors.length > 0) expect(errors[0]!.message).toContain(`to ${amount},`);
          else if (points !== amount) {
            expect(doubts.join()).toContain(`the total is ${amount}`);
            expect(doubts.join()).toContain(points);
            expect(fixes).toContainEqual(expect.objectContaining({ kind: "decimals", count: 1 }));
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

test("exact amounts of many digits raise no doubt, unless most of them look like noise", () => {
  const exact = ["1234.567890123456", "99123.123456789987", "88123.123456789123", "2023.100000000001"];
  const text = `address,amount\n${exact.map((amount, at) => `${wallet(at + 1)},${amount}`).join("\n")}`;
  const checked = checkText(text, rules);
  expect(checked).toMatchObject({ badRows: 0, fixes: [] });
  expect(otherNotes(checked)).toEqual([]);
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
