import { describe, expect, test } from "vitest";
import { checkTable, checkText } from "@/testing/check-text";
import { LIMITS, wallet } from "@/testing/factories";
import { badRowsCsv } from "./check-rows";
import { findColumns } from "./map-columns";
import { readTable } from "./read-table";

const OPTIONS = {
  contractAddress: wallet(0xc0),
  pointType: "PHASE2_POINTS" as const,
  limits: LIMITS,
  treatment: { format: "1,234.56" as const },
};
const check = (text: string, header?: boolean) => checkText(text, OPTIONS, header);
const errorsOf = (text: string) =>
  check(text).errors.map(({ line, column, value, code }) => [line, column, value, code]);
const row = (number: number, points: string) => `${wallet(number)},${points}\n`;

describe("a file without errors", () => {
  test("has its exact total, to the last of 12 decimals", () => {
    const most = `${"9".repeat(26)}.${"9".repeat(12)}`;
    const checked = check(`to_address,points\n${row(1, most)}${row(2, "0.010000000001")}${row(3, most)}`);
    expect(checked.errors).toEqual([]);
    expect(checked.points).toBe("200000000000000000000000000.009999999999");
    expect(checked.rowCount).toBe(3);
  });

  test("may use any line ending, byte-order mark, separator and quoting", () => {
    const plain = `address,amount\n${row(1, "1.5")}${row(2, "2")}`;
    const forms = [
      plain,
      `\uFEFF${plain}`,
      plain.replaceAll("\n", "\r\n"),
      plain.replaceAll("\n", "\r"),
      plain.replaceAll(",", ";"),
      plain.replaceAll(",", "\t"),
      plain.replaceAll(",", " | "),
      plain.replaceAll(/[^,\n]+/g, '"$&"'),
      plain.replaceAll(/[^,\n]+/g, "  $& \u00a0"),
      plain.replaceAll("\n", "\n\n \n"),
      plain.replaceAll("\n", ",,\n"),
    ];
    for (const text of forms)
      expect(check(text), JSON.stringify(text)).toMatchObject({ errors: [], points: "3.5", rowCount: 2 });
  });

  test("is split into parts of the maximum size, each with its total", () => {
    const limits = { ...LIMITS, transfersMax: 2 };
    const text = [1, 2, 3, 4, 5].map((number) => row(number, `${number}.1`)).join("");
    expect(checkText(text, { ...OPTIONS, limits }).parts).toEqual([
      { count: 2, points: "3.2" },
      { count: 2, points: "7.2" },
      { count: 1, points: "5.1" },
    ]);
  });
});

describe("a row with errors", () => {
  test("is reported with line, column and value, once per error", () => {
    const text = `to,points,note\n${row(1, '"1,00",a')}\n${row(1, "1")}${row(0, "1e3")}${row(0xc0, "0.001")}0x12,\n`;
    expect(errorsOf(text)).toEqual([
      [2, "points", "1,00", "invalid_points"],
      [4, "to", wallet(1), "duplicate_destination"],
      [5, "to", wallet(0), "destination_is_zero"],
      [5, "points", "1e3", "invalid_points"],
      [6, "to", wallet(0xc0), "destination_is_contract"],
      [6, "points", "0.001", "points_below_minimum"],
      [7, "to", "0x12", "invalid_address"],
      [7, "points", "", "required"],
    ]);
    expect(check(text).badRows).toBe(5);
  });

  test("has the right line number when earlier cells contain line breaks", () => {
    const text = `note,to,points\n"two\nlines",${row(1, "1")}"a\n\nb",${row(2, "x")}`;
    expect(errorsOf(text)).toEqual([[4, "points", "x", "invalid_points"]]);
  });

  test("that is a duplicate names the first line", () => {
    const text = `to,points\n\n${row(1, "1")}${row(2, "1")}${row(1, "1")}`;
    expect(check(text).errors[0]).toMatchObject({
      line: 5,
      message: expect.stringContaining("Line 3 already pays"),
    });
  });

  test("adds nothing to the total", () => {
    expect(check(`${row(1, "1")}${row(2, "2x")}${row(3, "3")}`).points).toBe("4");
  });

  test.each([
    ["10,5", "Use a decimal point: 10.5."],
    ["1 000", "Remove the separators: 1000."],
    ["1.000.000,5", "Remove the thousands separators and"],
    ["1e3", "may have lost digits"],
    ["1.5E+21", "may have lost digits"],
    ["-1", "cannot be negative"],
    ["+1", "plus sign"],
    ["007", "Remove the leading zeros: 7."],
    [".5", "0.5"],
    ["5.", "Remove the trailing point: 5."],
    ["1.0000000000001", "Rounded down, it loses 0.0000000000001."],
    ["1".repeat(27), "More than 26 digits"],
    ["$10", "Enter the number only"],
    ["ten", "such as 10.5"],
    ["１２", "such as 10.5"],
    ["=SUM(B1:B2)", "no stored result"],
    ["#REF!", "formula has an error"],
    ["2026-11-22", "is a date"],
  ])("with %s points says how to fix it: %s", (points, message) => {
    const checked = check(`to;points\n${wallet(1)};${points}\n`);
    expect(checked.errors).toMatchObject([
      { code: "invalid_points", message: expect.stringContaining(message) },
    ]);
  });

  test.each([
    ["vitalik.eth", "Names are not resolved"],
    [wallet(1).slice(2), "Add 0x at the start"],
    [`${wallet(1)}0`, "Has 41 hex digits"],
    ["1.2E+47", "A spreadsheet turned the address into a number"],
    [wallet(1).replace("0x", "0X"), "lowercase x"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "Checksum mismatch"],
  ])("that pays %s says how to fix it: %s", (address, message) => {
    const [error] = check(`to;points\n${address};1\n`).errors;
    expect(error?.message).toContain(message);
  });
});

test("rows with errors are exported with line and reasons, safe for spreadsheets", () => {
  const table = readTable(`to,points\n${row(1, "1")}${row(2, '"-1,5"')}=1+1,\n`);
  const checked = checkTable(table, { ...OPTIONS, treatment: {} });
  const lines = badRowsCsv(table, findColumns(table), checked).split("\r\n");
  expect(lines[0]).toBe("to,points,line,reason");
  expect(lines[1]).toBe(`${wallet(2)},"'-1,5",3,points: An amount cannot be negative.`);
  expect(lines[2]).toMatch(/^'=1\+1,,4,to: Not an address.*points: Enter an amount/);
  expect(lines).toHaveLength(4);
});
