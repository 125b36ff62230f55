import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePoints } from "@/server/kernel/values/points";
import { checkText } from "@/testing/check-text";
import { LIMITS, wallet } from "@/testing/factories";
import type { Treatment } from "./checked";
import { FIX_KINDS } from "./fixes";

const OPTIONS = { contractAddress: wallet(0xc0), pointType: "PHASE2_POINTS" as const, limits: LIMITS };
const check = (text: string, treatment: Partial<Treatment> = {}, limits = LIMITS) =>
  checkText(text, { ...OPTIONS, limits, treatment });
const HEAD = "to;points\n";
const row = (number: number, points: string) => `${wallet(number)};${points}\n`;

describe("the number format", () => {
  test("of the column is used for every row, with the exact total", () => {
    const checked = check(
      `${HEAD}${row(1, "1.234,56")}${row(2, "7")}${row(3, "0,000000000001")}${row(4, "2.000")}`,
      {},
    );
    expect(checked.errors.map(({ line, code }) => [line, code])).toEqual([[4, "points_below_minimum"]]);
    expect(checked).toMatchObject({ chosenFormat: "1.234,56", points: "3241.56" });
  });

  test("that is unknown is asked for, and no row is read before the answer", () => {
    const text = `${HEAD}${row(1, "1,234")}${row(2, "2,500")}`;
    expect(check(text)).toMatchObject({
      questions: ["format"],
      chosenFormat: null,
      parts: [],
      transfers: [],
    });
    expect(check(text, { format: "1,234.56" })).toMatchObject({ questions: [], points: "3734" });
    expect(check(text, { format: "1.234,56" })).toMatchObject({ questions: [], points: "3.734" });
  });
});

describe("a duplicate", () => {
  const limits = { ...LIMITS, transfersMax: 2 };
  const again = wallet(0xab).toUpperCase().replace("0X", "0x");
  const near = `${HEAD}${row(0xab, "1.5")}${again};2\n${row(2, "1")}${row(3, "1.25")}`;
  const far = `${HEAD}${row(0xab, "1.5")}${row(2, "1")}${row(3, "1.25")}${again};2\n`;

  test.each([
    ["in the same batch", near],
    ["beyond the cut between two batches", far],
  ])("%s is an error that names both lines, until the user decides", (_, text) => {
    const checked = check(text, {}, limits);
    expect(checked.duplicateCount).toBe(1);
    expect(checked.errors).toMatchObject([
      { code: "duplicate_destination", message: expect.stringContaining("Line 2 already pays") },
    ]);
    const added = check(text, { duplicates: "add-up" }, limits);
    expect(added).toMatchObject({ errors: [], points: "5.75", transferCount: 3, duplicateCount: 1 });
    expect(added.transfers[0]).toEqual({ toAddress: wallet(0xab), points: "3.5" });
    const first = check(text, { duplicates: "keep-first" }, limits);
    expect(first).toMatchObject({ errors: [], points: "3.75", transferCount: 3 });
    expect(first.parts.map(({ count }) => count)).toEqual([2, 1]);
  });

  test("added up never loses a point, whatever the rows and the size of a batch", () => {
    const rows = fc.array(fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 10 ** 9 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (given, transfersMax) => {
        const text = HEAD + given.map(([to, units]) => row(to + 1, `${units}.01`)).join("");
        const checked = check(text, { duplicates: "add-up" }, { ...LIMITS, transfersMax });
        const sent = given.reduce((sum, [, units]) => sum + parsePoints(`${units}.01`), 0n);
        expect(checked.errors).toEqual([]);
        expect(parsePoints(checked.points)).toBe(sent);
        expect(checked.transferCount).toBe(new Set(given.map(([to]) => to)).size);
        expect(checked.parts.reduce((sum, { points }) => sum + parsePoints(points), 0n)).toBe(sent);
      }),
    );
  });

  test("with a wrong checksum is an error, not a duplicate", () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const text = `${HEAD}${address};1\n${address.replace("BeAed", "BeAeD")};1\n`;
    expect(check(text, { duplicates: "add-up" }).errors).toMatchObject([{ code: "invalid_checksum" }]);
  });
});

describe("the total row", () => {
  test.each([
    ["named", `${HEAD}${row(1, "1.5")}${row(2, "2")}Total;3.5\n`],
    ["in another language", `${HEAD}${row(1, "1,5")}${row(2, "2")}Gesamtsumme;3,5\n`],
    ["without a name", `${HEAD}${row(1, "1.5")}${row(2, "2")};3.5\n`],
  ])("%s is recognized, and left out on request", (_, text) => {
    expect(check(text)).toMatchObject({ total: { line: 4, points: "3.5", above: "3.5" }, badRows: 1 });
    expect(check(text, { leaveOutTotal: true })).toMatchObject({
      errors: [],
      points: "3.5",
      transferCount: 2,
    });
  });

  test("is compared with the rows above, duplicates included", () => {
    const text = `${HEAD}${row(1, "1.5")}${row(1, "2")}Total;4\n`;
    const { total, readings } = check(text);
    expect(total).toEqual({ line: 4, points: "4", above: "3.5" });
    expect(readings[0]?.sum, "the sum beside the format does not contain the total").toBe("3.5");
  });

  test("is never a row that only lacks its address, nor one that pays an address", () => {
    expect(check(`${HEAD}${row(1, "1.5")}${row(2, "2")};3\n`).total).toBeNull();
    expect(check(`${HEAD}${row(1, "1.5")}${row(2, "1.5")}`).total).toBeNull();
  });
});

describe("a suggestion", () => {
  test.each([
    ["10,5", "10.5"],
    ["1.000.000,5", "1000000.5"],
    ["1 000", "1000"],
    ["007", "7"],
    [".5", "0.5"],
    ["5.", "5"],
    ["+1", "1"],
    ["$10", "10"],
    ["USD 1,234.56", "1234.56"],
    ["1,000 pts", "1000"],
  ])("for %s is %s, and is applied only on request", (given, fix) => {
    const text = HEAD + row(1, given);
    const format = "1,234.56" as const;
    expect(check(text, { format })).toMatchObject({
      fixes: [{ count: 1 }],
      errors: [{ fix: { value: fix } }],
    });
    const applied = check(text, { format, fixes: FIX_KINDS });
    expect(applied).toMatchObject({ errors: [], fixes: [{ count: 1 }] });
    expect(applied.transfers[0]?.points).toBe(fix);
  });

  test("for an amount with a unit is never a guess: without anything to decide it, the format is asked for", () => {
    const text = `${HEAD}${row(1, "1.234 €")}${row(2, "7")}`;
    expect(check(text, { fixes: FIX_KINDS })).toMatchObject({ questions: ["format"], transfers: [] });
    const chosen = (format: Treatment["format"]) =>
      check(text, { format, fixes: FIX_KINDS }).transfers.map(({ points }) => points);
    expect(chosen("1.234,56")).toEqual(["1234", "7"]);
    expect(chosen("1,234.56")).toEqual(["1.234", "7"]);
  });

  test("uses a format that was only detected for no value with two readings", () => {
    const text = `${HEAD}${row(1, "USD 1,234.56")}${row(2, "1.234 €")}`;
    const applied = check(text, { fixes: FIX_KINDS });
    expect(applied.transfers.map(({ points }) => points)).toEqual(["1234.56"]);
    expect(applied.errors).toMatchObject([{ line: 3, code: "invalid_points" }]);
    expect(check(text, { format: "1,234.56", fixes: FIX_KINDS }).errors).toEqual([]);
  });

  test.each(["5%", "1k", "2 Mio", "1e3", "-1", "ten", "1-2", "10 20 30,5x"])(
    "is never made for %s, which could be another amount",
    (given) => {
      expect(check(HEAD + row(1, given), { format: "1,234.56" }).errors[0]).not.toHaveProperty("fix");
    },
  );

  test.each([
    ["without 0x", wallet(1).slice(2)],
    ["with 0X", wallet(1).replace("0x", "0X")],
    ["with spaces and invisible characters", `${wallet(1).slice(0, 20)} \u200b${wallet(1).slice(20)}`],
  ])("completes an address %s", (_, given) => {
    const text = `${HEAD}${given};1\n`;
    expect(check(text).errors).toMatchObject([{ fix: { value: wallet(1) } }]);
    expect(check(text, { fixes: FIX_KINDS }).transfers).toEqual([{ toAddress: wallet(1), points: "1" }]);
  });

  test("that makes two rows pay one address leaves a duplicate", () => {
    const text = `${HEAD}${row(1, "1")}${wallet(1).slice(2)};1\n`;
    expect(check(text, { fixes: FIX_KINDS }).errors).toMatchObject([{ code: "duplicate_destination" }]);
  });
});
