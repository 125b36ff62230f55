import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parsePoints } from "@/terms/points";
import { checkTable, checkText, otherNotes, RULES } from "@/testing/check-text";
import { LIMITS, wallet } from "@/testing/factories";
import { badRowsCsv } from "./check-rows";
import { type Treatment, UNTREATED } from "./checked";
import { findColumns } from "./rank-columns";
import { readTable } from "./read-table";
import { FIX_KINDS } from "./row-errors";

const POINT = { format: "1,234.56" } as const;
const check = (text: string, treatment: Partial<Treatment> = {}, limits = LIMITS) =>
  checkText(text, { limits, treatment });
const HEAD = "to;points\n";
const row = (number: number, points: string) => `${wallet(number)};${points}\n`;
const WRONG_CHECKSUM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD";

describe("a file without errors", () => {
  test("has its exact total, to the last of 12 decimals", () => {
    const most = `${"9".repeat(26)}.${"9".repeat(12)}`;
    expect(check(`${HEAD}${row(1, most)}${row(2, "0.010000000001")}${row(3, most)}`, POINT)).toMatchObject({
      errors: [],
      points: "200000000000000000000000000.009999999999",
      rowCount: 3,
    });
  });
});

describe("a column of references", () => {
  const rows = (...references: string[]) =>
    `to;points;Payment reference\n${references.map((reference, at) => `${wallet(at + 1)};1;${reference}\n`).join("")}`;

  test("is sent with its transfers, and empty cells have none", () => {
    const checked = check(rows("s3:1", "", "s3:2"), POINT);
    expect(checked.transfers.map(({ reference }) => reference)).toEqual(["s3:1", undefined, "s3:2"]);
    expect(otherNotes(checked)).toEqual(["2 rows have references, which the contract pays once."]);
  });

  test("whose values repeat is refused row by row, and sent by nobody's guess only if it is chosen as none", () => {
    const given = rows("March", "March");
    expect(check(given, POINT).errors).toMatchObject([{ line: 3, code: "duplicate_reference" }]);
    const unsent = checkTable(
      readTable(given),
      { treatment: POINT },
      { toAddress: 0, points: 1, reference: null },
    );
    expect(unsent.errors).toEqual([]);
    expect(unsent.transfers).not.toContainEqual(expect.objectContaining({ reference: expect.anything() }));
    expect(otherNotes(unsent)).toEqual([
      expect.stringContaining("is not sent, so it does not keep these rows from being paid again"),
    ]);
    expect(otherNotes(check(rows("", ""), POINT))).toEqual([]);
  });

  const later = Array.from({ length: 50 }, (_, at) => `s3:${at}`);

  test.each([
    ["s3:7", expect.stringContaining("Line 9 has the same reference. A contract pays each one once.")],
    ["ä", "A reference has 1 to 64 printable ASCII characters."],
    ["x".repeat(65), "A reference has 1 to 64 printable ASCII characters."],
  ])("with %s in a later row names that row", (reference, message) => {
    expect(check(rows(...later, reference), POINT).errors).toMatchObject([
      { line: 52, column: "Payment reference", value: reference, message },
    ]);
  });

  const twice = (first: string, second: string) =>
    `to;points;reference\n${wallet(1)};1;${first}\n${wallet(1).toUpperCase().replace("0X", "0x")};2;${second}\n`;

  test.each([
    ["a", ""],
    ["", "b"],
    ["a", "a"],
  ])("keeps the rows %j and %j of one address from being added up", (first, second) => {
    expect(check(twice(first, second), { ...POINT, duplicates: "add-up" }).errors).toContainEqual(
      expect.objectContaining({
        line: 3,
        code: "duplicate_destination",
        message: expect.stringContaining("Give each a reference of its own."),
      }),
    );
    const { errors, transfers } = check(twice(first, second), { ...POINT, duplicates: "keep-first" });
    expect([errors, transfers]).toEqual([
      [],
      [{ toAddress: wallet(1), points: "1", ...(first && { reference: first }) }],
    ]);
  });

  test.each(["refuse", "add-up", "keep-first"] as const)(
    "keeps rows of one address with different references apart, each in a part of its own: %s",
    (duplicates) => {
      const checked = check(twice("a", "b"), { ...POINT, duplicates });
      expect(checked).toMatchObject({ errors: [], points: "3", transferCount: 2, duplicateCount: 0 });
      expect(checked.parts).toEqual([
        { count: 1, points: "1" },
        { count: 1, points: "2" },
      ]);
      expect(checked.transfers.map(({ reference }) => reference)).toEqual(["a", "b"]);
    },
  );

  test("of rows that pay the contract itself leaves none of them out of the errors", () => {
    const text = `to;points;reference\n${wallet(0xc0)};1;a\n${wallet(0xc0)};2;b\n`;
    expect(check(text, POINT).errors.map(({ line, code }) => [line, code])).toEqual([
      [2, "destination_is_contract"],
      [3, "destination_is_contract"],
    ]);
  });

  test("splits a file the same way each time, every row once, no part with more than it may or one address twice", () => {
    const invoices = fc.array(fc.nat(5), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(invoices, fc.integer({ min: 1, max: 7 }), (given, transfersMax) => {
        const text = `to;points;reference\n${given.map((to, at) => `${wallet(to + 1)};${at + 1};r${at}\n`).join("")}`;
        const limits = { ...LIMITS, transfersMax };
        const { parts, transfers, ...checked } = check(text, POINT, limits);
        expect(check(text, POINT, limits)).toEqual({ parts, transfers, ...checked });
        expect(transfers.map(({ points }) => Number(points)).sort((one, other) => one - other)).toEqual(
          given.map((_, at) => at + 1),
        );
        let start = 0;
        for (const { count, points } of parts) {
          const rows = transfers.slice(start, start + count);
          start += count;
          expect(rows.length).toBeLessThanOrEqual(transfersMax);
          expect(new Set(rows.map(({ toAddress }) => toAddress)).size).toBe(rows.length);
          expect(String(rows.reduce((sum, row) => sum + Number(row.points), 0))).toBe(points);
        }
        expect(start).toBe(given.length);
      }),
    );
  });
});

describe("a row with errors", () => {
  const errorsOf = (text: string) =>
    check(text, POINT).errors.map(({ line, column, value, code }) => [line, column, value, code]);

  test("is reported with line, column and value, once per error, and adds nothing to the total", () => {
    const text = `${HEAD}${row(1, "1,00")}\n${row(2, "1")}${row(2, "3")}${row(0, "1e3")}${row(0xc0, "0.001")}0x12;\n`;
    expect(errorsOf(text)).toEqual([
      [2, "points", "1,00", "invalid_points"],
      [5, "to", wallet(2), "duplicate_destination"],
      [6, "to", wallet(0), "destination_is_zero"],
      [6, "points", "1e3", "invalid_points"],
      [7, "to", wallet(0xc0), "destination_is_contract"],
      [7, "points", "0.001", "points_below_minimum"],
      [8, "to", "0x12", "invalid_address"],
      [8, "points", "", "required"],
    ]);
    expect(check(text, POINT)).toMatchObject({ badRows: 5, points: "1" });
  });

  test("has the right line number when earlier cells contain line breaks", () => {
    const text = `note;to;points\n"two\nlines";${row(1, "1")}"a\n\nb";${row(2, "x")}`;
    expect(errorsOf(text)).toEqual([[4, "points", "x", "invalid_points"]]);
  });

  test.each([
    ["10,5", "10.5"],
    ["1 000", "1000"],
    ["1.000.000,5", "1000000.5"],
    ["007", "7"],
    [".5", "0.5"],
    ["5.", "5"],
    ["+1", "1"],
    ["$10", "10"],
    ["1,000 pts", "1000"],
  ])("with %s points suggests %s, applied only on request", (given, fix) => {
    const text = HEAD + row(1, given);
    expect(check(text, POINT).errors).toMatchObject([{ message: `Write ${fix} instead.` }]);
    const applied = check(text, { ...POINT, fixes: FIX_KINDS });
    expect(applied.transfers.map(({ points }) => points)).toEqual([fix]);
  });

  test.each([
    ["1.5E+21", "may have lost digits"],
    ["1.85185e+08", "as awk, C and Octave keep"],
    ["1.5k", "such as 1500 for 1.5k"],
    ["2 Mio", "such as 1500 for 1.5k"],
    ["50%", "A share is no amount"],
    ["1,234.500…", "The amount is cut off"],
    ["-", "A dash is no amount"],
    ["-1", "cannot be negative"],
    ["1".repeat(27), "More than 26 digits"],
    [`+${"1".repeat(27)}`, "More than 26 digits"],
    [`"${"111,".repeat(9)}111.5"`, "More than 26 digits"],
    ["1_000", "Remove the underscores."],
    ["ten", "such as 10.5"],
    ["=SUM(B1:B2)", "the text of a formula"],
    ["0x64", "A hexadecimal number"],
    ["#REF!", "formula has an error"],
    ["2026-11-22", "is a date"],
  ])("with %s points says why it has no suggestion: %s", (given, message) => {
    const { errors, transfers, fixes } = check(HEAD + row(1, given), { ...POINT, fixes: FIX_KINDS });
    expect(errors).toMatchObject([{ code: "invalid_points", message: expect.stringContaining(message) }]);
    expect([transfers, fixes]).toEqual([[], []]);
  });

  test.each<[address: string, message: string, fix?: string]>([
    [wallet(1).slice(2), `Write ${wallet(1)} instead.`, wallet(1)],
    [wallet(1).replace("0x", "0X"), `Write ${wallet(1)} instead.`, wallet(1)],
    [`${wallet(1).slice(0, 20)} \u200b${wallet(1).slice(20)}`, `Write ${wallet(1)} instead.`, wallet(1)],
    ["vitalik.eth", "Names are not resolved"],
    [`${wallet(1)}0`, "Has 41 hex digits"],
    ["1.2E+47", "A spreadsheet turned the address into a number"],
    [WRONG_CHECKSUM, "Checksum mismatch"],
    [WRONG_CHECKSUM.replace("0x", "0X"), "Checksum mismatch"],
    [WRONG_CHECKSUM.slice(2).replace("F3E", "F3 E"), "Checksum mismatch"],
    [`0x${"ab".repeat(32)}`, "An address of Starknet, Sui or Aptos, or a hash."],
    [`0x${"ab".repeat(31)}c`, "An address of Starknet, Sui or Aptos, or a hash."],
    ["ab".repeat(32), "a private key"],
    [`payee:${wallet(1)}`, `Write ${wallet(1)} instead.`, wallet(1)],
    ["0x5aAe...eAed", "shortened"],
  ])("that pays %s says how to fix it: %s", (address, message, fix) => {
    const text = `${HEAD}${address};1\n`;
    expect(check(text).errors[0]?.message).toContain(message);
    const { transfers } = check(text, { fixes: FIX_KINDS });
    expect(transfers).toEqual(fix ? [{ toAddress: fix, points: "1" }] : []);
  });
});

test("rows with errors are exported with line and reasons, safe for spreadsheets", () => {
  const table = readTable(`${HEAD}${row(1, "1")}${row(2, '"-1,5"')}=1+1;\n`);
  const checked = checkTable(table);
  const lines = badRowsCsv(table, findColumns(table), checked).split("\r\n");
  expect(lines[0]).toBe("to,points,line,reason");
  expect(lines[1]).toBe(`${wallet(2)},"'-1,5",3,points: An amount cannot be negative.`);
  expect(lines[2]).toMatch(/^'=1\+1,,4,to: Not an address.*points: Enter an amount/);
  expect(lines).toHaveLength(4);
  const corrected = `address,points,line,reason\r\n${wallet(1)},5,120,"no"\r\n${wallet(2)},7,305,"no"\r\n`;
  expect(checkTable(readTable(corrected))).toMatchObject({ errors: [], points: "12" });
});

test("the check of a large file ends when a newer choice arrives", async () => {
  const worker = { postMessage: vi.fn(), onmessage: (_: object) => {}, location: { origin: "" } };
  vi.stubGlobal("self", worker);
  await import("@/app/(console)/batches/new/prepare/check-worker");
  const source = Array.from({ length: 30_000 }, (_, at) => row(at + 1, "1")).join("");
  for (const ask of [1, 2]) {
    const given = { ...RULES, file: { id: 1, source, name: "" }, map: null, treatment: UNTREATED };
    worker.onmessage({ data: { ask, name: "check", given } });
    await vi.waitFor(() =>
      expect(worker.postMessage).toHaveBeenCalledWith({ ask, progress: expect.anything() }),
    );
  }
  expect(worker.postMessage).toHaveBeenCalledWith({ ask: 1, value: undefined });
  // A reply after the file's last test would have no worker: an error of the whole run.
  const last = { ask: 2, value: expect.anything() };
  await vi.waitFor(() => expect(worker.postMessage).toHaveBeenCalledWith(last));
});

describe("the number format", () => {
  test("of the column is used for every row, with the exact total", () => {
    const text = `${HEAD}${row(1, "1.234,56")}${row(2, "7")}${row(3, "0,000000000001")}${row(4, "2.000")}`;
    expect(check(text)).toMatchObject({
      errors: [{ line: 4, code: "points_below_minimum" }],
      chosenFormat: "1.234,56",
      points: "3241.56",
    });
  });

  test("with a decimal comma is said with an amount that could be read as a thousand times another", () => {
    const note = "The amounts are read with a decimal comma: “1,234” is 1.234.";
    const rows = (amount: string) => `${HEAD}${row(1, "1,234")}${row(2, amount)}`;
    expect(check(rows("12,5")).doubts).toEqual([note]);
    expect(check(rows("0,125")).doubts).toEqual([]);
    expect(otherNotes(check(rows("2,500"), { format: "1.234,56" }))).toEqual([note]);
    expect(otherNotes(check(rows("2,500.5")))).toEqual([]);
    expect(check(`${rows("2,500")}${row(3, "12,5")}`).questions).toEqual(["format"]);
  });

  test("that is unknown is asked for, and no row is read before the answer", () => {
    const text = `${HEAD}${row(1, "1,234")}${row(2, "2,500")}`;
    const unread = { questions: ["format"], chosenFormat: null, parts: [], transfers: [] };
    expect(check(text)).toMatchObject(unread);
    expect(check(text, POINT)).toMatchObject({ questions: [], points: "3734" });
    expect(check(text, { format: "1.234,56" })).toMatchObject({ questions: [], points: "3.734" });
  });

  test("of an amount with a unit is asked for if nothing else decides it", () => {
    const text = `${HEAD}${row(1, "1.234 €")}${row(2, "7")}`;
    expect(check(text, { fixes: FIX_KINDS })).toMatchObject({ questions: ["format"], transfers: [] });
    const chosen = (format: Treatment["format"]) =>
      check(text, { format, fixes: FIX_KINDS }).transfers.map(({ points }) => points);
    expect(chosen("1.234,56")).toEqual(["1234", "7"]);
    expect(chosen("1,234.56")).toEqual(["1.234", "7"]);
  });

  test("that was only detected is used for no value with two readings", () => {
    const text = `${HEAD}${row(1, "USD 1,234.56")}${row(2, "1.234 €")}`;
    const applied = check(text, { fixes: FIX_KINDS });
    expect(applied.transfers.map(({ points }) => points)).toEqual(["1234.56"]);
    expect(applied.errors).toMatchObject([{ line: 3, code: "invalid_points" }]);
    const { errors } = check(`${HEAD}${row(1, "USD 1,234.56")}${row(2, "+1,234")}`, { fixes: FIX_KINDS });
    expect(errors).toMatchObject([{ message: expect.stringContaining("Enter 1234 for 1,234, or 1.234") }]);
    expect(check(text, { ...POINT, fixes: FIX_KINDS }).errors).toEqual([]);
  });
});

describe("a duplicate", () => {
  const again = wallet(0xab).toUpperCase().replace("0X", "0x");

  test.each([
    ["in the same batch", `${row(0xab, "1.5")}${again};2\n${row(2, "1")}${row(3, "1.25")}`],
    ["beyond the cut between two batches", `${row(0xab, "1.5")}${row(2, "1")}${row(3, "1.25")}${again};2\n`],
  ])("%s is an error that names both lines, until the user decides", (_, rows) => {
    const checkIn2 = (treatment: Partial<Treatment>) =>
      check(HEAD + rows, treatment, { ...LIMITS, transfersMax: 2 });
    const message = expect.stringContaining("Line 2 already pays");
    expect(checkIn2({})).toMatchObject({
      duplicateCount: 1,
      errors: [{ code: "duplicate_destination", message }],
    });
    const added = checkIn2({ duplicates: "add-up" });
    expect(added).toMatchObject({ errors: [], points: "5.75", transferCount: 3, duplicateCount: 1 });
    expect(added.transfers[0]).toEqual({ toAddress: wallet(0xab), points: "3.5" });
    const first = checkIn2({ duplicates: "keep-first" });
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
});

describe("the total row", () => {
  test.each([
    ["named", `${row(1, "1.5")}${row(2, "2")}Total;3.5\n`],
    ["without a name", `${row(1, "1.5")}${row(2, "2")};3.5\n`],
  ])("%s is recognized, and left out on request", (_, rows) => {
    const total = { line: 4, points: "3.5", above: "3.5" };
    expect(check(HEAD + rows)).toMatchObject({ total, badRows: 1 });
    const without = check(HEAD + rows, { leaveOutTotal: true });
    expect(without).toMatchObject({ errors: [], points: "3.5", transferCount: 2 });
  });

  test("that pays an address is in doubt, if it is the sum of several rows", () => {
    const { doubts } = check(`${HEAD}${row(1, "1.5")}${row(2, "2")}${row(3, "0.5")}${row(4, "4")}`);
    expect(doubts).toEqual(["Line 5, the last one, would be paid as much as all others together."]);
  });

  test("is never a row that only lacks its address, nor one that pays an address", () => {
    expect(check(`${HEAD}${row(1, "1.5")}${row(2, "2")};3\n`).total).toBeNull();
    expect(check(`${HEAD}${row(1, "1.5")}${row(2, "1.5")}`).total).toBeNull();
  });
});

describe("rows below the minimum", () => {
  const text = `${HEAD}${row(1, "5")}${row(2, "0.004")}${row(3, "0")}${row(1, "0.001")}`;

  test("are errors, until they are left out with their count and sum, and are in the report", () => {
    expect(check(text, POINT)).toMatchObject({
      badRows: 3,
      below: { count: 3, points: "0.005", leftOut: [] },
    });
    const table = readTable(text);
    const checked = checkTable(table, { treatment: { ...POINT, belowMinimum: "leave-out" } });
    expect(checked).toMatchObject({ errors: [], transferCount: 1, points: "5", duplicateCount: 0 });
    expect(checked.below).toEqual({ count: 3, points: "0.005", leftOut: [3, 4, 5] });
    const report = badRowsCsv(table, findColumns(table), checked);
    expect(report).toContain(`${wallet(2)},0.004,3,Left out: below the minimum.`);
  });

  test("are left out after their amounts were read as chosen, and no others", () => {
    const given = `${HEAD}${row(1, "$0.001")}${row(2, "x")}${row(3, "0.01")}`;
    const checked = check(given, { ...POINT, belowMinimum: "leave-out", fixes: ["form"] });
    expect(checked.errors).toMatchObject([{ line: 3, code: "invalid_points" }]);
    expect(checked.below).toEqual({ count: 1, points: "0.001", leftOut: [2] });
    expect(check(given, { ...POINT, belowMinimum: "leave-out" }).below.leftOut).toEqual([]);
  });
});

test("totals of the readings count amounts that are to be rounded", () => {
  const { readings } = check(`${HEAD}${row(1, "1.5")}${row(2, "2.1234567890129")}`);
  expect(readings.map(({ sum }) => sum)).toEqual(["3.623456789012"]);
});

describe("lines that are no rows", () => {
  test.each([
    [
      "borders",
      "+----+--------+\n| to | points |\n+----+--------+\n| A | 5 |\n+----+--------+\n1 row in set (0.00 sec)\n",
    ],
    ["a table of Markdown", "| to | points |\n| --- | ---: |\n| A | 5 |\n"],
    ["a table of Org", "| to | points |\n|----+--------|\n| A | 5 |\n"],
    ["a table of reStructuredText", "to;points\n==;==\nA;5\n"],
    ["a footer of psql", " to | points \n----+--------\n A | 5\n(1 row)\n"],
    ["comments", "# June\n// by: x, y\nto,points\nA,5\n# B,7\n"],
  ])("are left out: %s", (_, given) => {
    expect(check(given.replace("A", wallet(1)))).toMatchObject({ errors: [], rowCount: 1, points: "5" });
  });

  test.each([
    ["a heading that begins with #", `# to,points\nA,5\n`, 1],
    ["rows that all begin with #", `#,to,points\n#1,A,5\n#2,B,6\n`, 2],
    ["more than the comment of a recipient who is not paid", `# to,points\n# B,7\nA,5\n`, 1],
  ])("but not %s", (_, given, rows) => {
    const checked = check(given.replace("A", wallet(1)).replace("B", wallet(2)));
    expect(checked).toMatchObject({ errors: [], rowCount: rows });
  });

  test("and a drawn table's columns are counted without its edge", () => {
    const given = `| to | points |\n| --- | ---: |\n| ${wallet(1)} | 5 |\n`;
    expect(check(given).notes).toEqual(["Addresses from “to”, amounts from “points” (column 2)."]);
  });

  test.each([
    ["# next", false],
    ["… 4,200 more rows", true],
    ["(showing first 1 rows)", true],
    ["Showing 1 to 1 of 4,200 entries", true],
    ["(2 rows)", true],
    ["LIMIT reached", true],
  ])("and “%s” is shown, and in doubt if the list is only a part: %s", (line, isPart) => {
    const doubt = `“${line}” says that the file is not the whole list. Only its 1 row would be paid.`;
    const checked = check(`to,points\n${wallet(1)},5\n${line}\n`);
    expect(checked).toMatchObject({ errors: [], doubts: isPart ? [doubt] : [] });
    expect(otherNotes(checked)).toEqual([`1 comment line skipped: “${line}”.`, ...checked.doubts]);
  });

  test.each([
    ["[\n { address: 1 }]", "Line 2: this is source code, not JSON."],
    ["{'0xa1': 5, '0xa2': 6}", "Line 1: this is source code, not JSON."],
    ["export const x: Row[] = [\n", "Line 1: this is source code, not JSON."],
    ["module.exports = {\n", "Line 1: this is source code, not JSON."],
    ['[{"a": 5},\n]', "Line 2: JSON has no comma before a closing bracket. Remove it."],
    ['[{"a": 5]', "Line 1: this is not valid JSON."],
    ['[{"a": 5},', "Line 1: this is not valid JSON."],
  ])("source code is called so: %s", (given, message) => {
    expect(() => readTable(given)).toThrow(message);
  });
});

test("a decimal of JSON is no German thousand, unless another amount has a comma", () => {
  const readingOf = (...amounts: string[]) => {
    const { questions, points } = check(
      JSON.stringify(amounts.map((points, at) => ({ to: wallet(at + 1), points }))),
    );
    return questions.length > 0 ? questions : points;
  };
  expect(readingOf("1.234", "2.500")).toBe("3.734");
  expect(readingOf("1.234", "2,500")).toEqual(["format"]);
});
