import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { checkTable, checkText } from "@/testing/check-text";
import { wallet } from "@/testing/factories";
import { type Cell, type SheetSpec, writeWorkbook } from "@/testing/write-workbook";
import type { Treatment } from "./checked";
import { FileProblem, type Table } from "./decode-file";
import { openFile } from "./open-file";
import { findColumns } from "./rank-columns";
import { openWorkbook, PART_BYTES_MAX } from "./read-workbook";
import { FIX_KINDS } from "./row-errors";

const HEAD = ["to_address", "points"];
const sheet = (rows: SheetSpec["rows"], name = "Payouts") => ({ name, rows });
const read = (rows: SheetSpec["rows"]) => openWorkbook(writeWorkbook([sheet(rows)])).read(0);
const cellsOf = (...cells: Cell[]) => read([["x", ...cells]]).rows[0]?.cells.slice(1);

const check = (rows: SheetSpec["rows"], treatment: Partial<Treatment> = {}) =>
  checkTable(read(rows), { treatment });

type Change = (path: string, xml: string) => [path: string, xml: string] | null;

/** A workbook whose parts have other names or contents. */
const changed = (change: Change) => changedFrom([sheet([HEAD, [wallet(1), { stored: "1.5" }]])], change);

function changedFrom(sheets: SheetSpec[], change: Change) {
  const parts = unzipSync(writeWorkbook(sheets));
  const written = Object.entries(parts).flatMap(([path, bytes]) => {
    const part = change(path, strFromU8(bytes));
    return part ? [[part[0], strToU8(part[1])] as const] : [];
  });
  return openWorkbook(zipSync(Object.fromEntries(written)));
}

const documentAt = (target: string) =>
  `<R><Relationship Id="a" Type="/officeDocument" Target="${target}"/></R>`;
const withSheet = (type: string, target: string) => ({
  "_rels/.rels": documentAt("w.xml"),
  "w.xml": '<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
  "_rels/w.xml.rels": `<R><Relationship Id="s" Type="/${type}" Target="${target}"/></R>`,
});
const zipped = (parts: Record<string, string>, level: 0 | 6 = 6) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])), { level });

describe("a cell", () => {
  test("loses only the remains of binary arithmetic, which are counted", () => {
    const table = read([
      ["x", { stored: "0.30000000000000004" }],
      ["x", { stored: "1.1000000000000001" }],
    ]);
    expect(table.rows.map(({ cells }) => cells[1])).toEqual(["0.3", "1.1"]);
    expect(table.facts?.[1]?.cleaned).toEqual({ count: 2, example: "0.30000000000000004 is 0.3" });
  });

  test("that is a date or a percentage is shown as one, so that it cannot pass for an amount", () => {
    const dates = ["46348", "46348.5", "0.5", "1e9"].map((stored, at) => ({ stored, style: (at % 2) + 1 }));
    expect(cellsOf(...dates)).toEqual(["2026-11-22", "2026-11-22", "0.5 (date)", "1e9 (date)"]);
    const from1904 = changed((path, xml) => [
      path,
      xml.replace("<sheets>", '<workbookPr date1904="1"/><sheets>').replace('"B2"', '"B2" s="1"'),
    ]);
    expect(from1904.read(0).rows[1]?.cells[1]).toBe("1904-01-02");
    expect(cellsOf({ stored: "46348", style: 3 })).toEqual(["46348"]);
    const percentages = [
      { stored: "0.1", style: 4 },
      { stored: "1.255E-2", style: 5 },
    ];
    expect(cellsOf(...percentages)).toEqual(["0.1 (percentage)", "0.01255 (percentage)"]);
    const rows = [HEAD, [wallet(1), { stored: "46348", style: 1 }], [wallet(2), percentages[0]!]];
    const { errors } = check(rows, { fixes: FIX_KINDS });
    expect(errors.map(({ message }) => message.split(".")[0])).toEqual([
      "This cell is a date",
      "This cell is a percentage",
    ]);
  });

  test("in a hidden column is paid only if the user chooses that column", () => {
    const hidden = '<cols><col min="2" max="3" hidden="1"/></cols><sheetData>';
    const workbook = changed((path, xml) => [path, xml.replace("<sheetData>", hidden)]);
    expect(findColumns(workbook.read(0))).toMatchObject({
      names: ["to_address", "points (hidden)"],
      map: { toAddress: 0, points: null },
    });
  });

  test("with a formula has its stored result, and is counted; without a result it is its own text", () => {
    const table = read([
      ["x", { xml: "<c><f>SUM(A1:A2)</f><v>3.5</v></c>" }, { xml: "<c><f>A1*2</f></c>" }],
      [
        "x",
        { xml: '<c t="str"><f>CONCAT("0x","1")</f><v>0x1</v></c>' },
        { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' },
      ],
    ]);
    expect(table.rows.map(({ cells }) => cells.slice(1))).toEqual([
      ["3.5", "=A1*2"],
      ["0x1", "#DIV/0!"],
    ]);
    expect(table.facts?.map(({ formula }) => formula?.count).slice(1)).toEqual([2, 1]);
  });

  test("whose formula was never calculated says so, in each column that is used", () => {
    const never = (formula: string, result = "") => ({ xml: `<c><f>${formula}</f>${result}</c>` });
    const rows = [
      ["to_address", "points", "reference"],
      [wallet(1), never("A1*2"), "one"],
      [wallet(2), { stored: "1" }, never("B2", "<v></v>")],
      [never("A9", "<v/>"), { stored: "1" }, "three"],
      [wallet(4), never("2-2", "<v>0</v>"), "four"],
      [wallet(5), "=1+1", "five"],
      [wallet(6), never("1+1", "<v>2</v>"), "six"],
    ];
    const found = (table: Table) =>
      checkTable(table).errors.map(
        ({ line, column, value, message }) => `${line} ${column} ${value}: ${message.split(".")[0]}`,
      );
    const always = [
      "2 points =A1*2: The formula was never calculated",
      "3 reference =B2: The formula was never calculated",
      "4 to_address =A9: The formula was never calculated",
    ];
    const text = "6 points =1+1: This is the text of a formula, not an amount";
    expect(found(read(rows))).toEqual([
      ...always,
      expect.stringMatching(/^5 points 0: Below the minimum/),
      text,
    ]);
    // Programs that cannot calculate store 0 and leave it to the spreadsheet.
    const left = changedFrom([sheet(rows)], (path, xml) => [
      path,
      xml.replace("</sheets>", '</sheets><calcPr fullCalcOnLoad="1"/>'),
    ]).read(0);
    expect(found(left)).toEqual([...always, "5 points =2-2: The formula was never calculated", text]);
    expect(left.facts?.[1]?.formula?.count).toBe(1);
  });

  test("with a formula may have its result as an inline text", () => {
    const xml = `<c t="inlineStr"><f>CONCATENATE(C2,D2)</f><is><t>${wallet(1)}</t></is></c>`;
    expect(check([HEAD, [{ xml }, { stored: "5" }]])).toMatchObject({ errors: [], points: "5" });
  });

  test.each([
    "123456789012346000",
    "1.23456789012346E+017",
    "9007199254740992",
    "1E+18",
    "1234567890123456.5",
  ])("that is a number of more than 15 digits, %s, may have lost the others, and is not paid", (stored) => {
    const { errors, transfers } = check([HEAD, [wallet(1), { stored }], [wallet(2), "123456789012345678"]]);
    expect(errors).toMatchObject([
      { line: 2, code: "invalid_points", message: expect.stringMatching(/keeps 15 digits.*as text/) },
    ]);
    expect(transfers.map(({ points }) => points)).toEqual(["123456789012345678"]);
  });

  test("may store such a number as a reference, which is taken as before", () => {
    const rows = [
      [...HEAD, "reference"],
      [wallet(1), { stored: "1" }, { stored: "1.2E+17" }],
    ];
    expect(check(rows).transfers).toMatchObject([{ reference: "120000000000000000" }]);
  });

  test.each<[stored: string, style: number, note: RegExp | null]>([
    ["1234.567", 6, /^1 amount is shown rounded .*: 1234\.567 is shown with 2 decimals\.$/],
    ["1234.567", 3, /^1 amount is shown rounded .*: 1234\.567 is shown with 2 decimals\.$/],
    ["2.5", 7, /^1 amount is shown rounded .*: 2\.5 is shown with 0 decimals\.$/],
    ["1500000", 8, /^1 amount is shown as something else .*: 1500000 has the format “;;;”\.$/],
    ["1500000", 9, /has the format “0\.00,”/],
    ["1500000", 10, /has the format “#,##0\.0,,"M"”/],
    ["45000", 11, /has the format “\[\$-411\]e”/],
    ["45000", 12, /has the format “"paid"”/],
    ["45000", 15, /has the format “0"\."00”/],
    ["45000", 16, /has the format “0\\\.000”/],
    ["45", 17, /has the format “0" %"”/],
    ["45", 18, null],
    ["2.50", 6, null],
    ["1.2300000000000002", 6, null],
    ["1234.567", 0, null],
    ["1234.567", 13, null],
    ["2", 7, null],
    ["12.5", 14, null],
  ])(
    "that stores %s is paid as stored, and noted if its format %i shows another number",
    (stored, style, note) => {
      const { errors, points, notes } = check([HEAD, [wallet(1), { stored, style }]]);
      expect({ errors, points }).toEqual({
        errors: [],
        points: stored === "2.50" ? "2.5" : expect.any(String),
      });
      const shown = notes.filter((text) => /shown (?:rounded|as something)/.test(text));
      expect(shown).toEqual(note ? [expect.stringMatching(note)] : []);
    },
  );

  test("of a million characters is read up to a bound, and no check of it takes long", () => {
    // Each is slow in an expression that goes back for every character of it.
    const long = [
      `${`/${"a".repeat(30)}`.repeat(30_000)} `,
      "'".repeat(10 ** 6),
      `1${"0".repeat(10 ** 6)}1.5`,
    ];
    const once = long.map((text) => [
      text,
      { stored: text },
      { xml: `<c t="inlineStr"><is><t>${text}</t></is></c>` },
    ]);
    // The texts after the names of the columns are stored once, and most cells refer to them.
    const shared = (at: number) => ({ xml: `<c t="s"><v>${3 + at}</v></c>` });
    const many = Array.from({ length: 1500 }, (_, at) =>
      Array.from({ length: 3 }, (_, of) => shared((at + of) % 3)),
    );
    const table = read([
      ["to_address", "points", "reference"],
      ...once,
      ...many,
      [wallet(1), { stored: "1" }, "a"],
    ]);
    expect(Math.max(...table.rows.flatMap(({ cells }) => cells.map(({ length }) => length)))).toBe(1001);
    const { errors, transferCount } = checkTable(table, { treatment: { fixes: FIX_KINDS } });
    expect([errors.length > 0, transferCount]).toEqual([true, 1]);
    const csv = checkText(
      `to_address;points\n${wallet(1)};1\n${long.map((text) => `${text};${text}`).join("\n")}`,
    );
    expect(csv.transferCount).toBe(1);
  });
});

describe("a workbook of a report generator", () => {
  const refersTo = (target: string): Change => {
    return (path, xml) => [path, xml.replace("worksheets/sheet1.xml", target)];
  };
  test.each<[string, Change]>([
    ["name its parts in another letter case", (path, xml) => [path.replace("shared", "Shared"), xml]],
    ["name its parts with a slash in front", (path, xml) => [`/${path}`, xml]],
    ["refer to a sheet with escapes", refersTo("./worksheets/%73heet1.xml")],
  ])("may %s", (_, change) => {
    const { rows } = changed(change).read(0);
    expect(rows.map(({ cells }) => cells)).toEqual([HEAD, [wallet(1), "1.5"]]);
  });

  test("without its texts is damaged, never a sheet of numbers", () => {
    const workbook = changed((path, xml) => (/shared/.test(path) ? null : [path, xml]));
    expect(() => workbook.read(0)).toThrow("The texts of some cells are missing. The workbook is damaged.");
  });

  test("may escape characters in texts: _x000D_ is a carriage return, _x005F_ an underscore", () => {
    const table = read([
      ["to", "points_x000D_"],
      [`${wallet(1)}_x000D_\n`, "2.25_x000D_"],
      [`_x0030_${wallet(2).slice(1)}`, { xml: '<c t="str"><v>3_x000d_</v></c>' }],
      ["a_x005F_x000D_", { xml: '<c t="inlineStr"><is><t>_x0034_</t></is></c>' }],
    ]);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ["to", "points"],
      [wallet(1), "2.25"],
      [wallet(2), "3"],
      ["a_x000D_", "4"],
    ]);
  });
});

describe("the rows of a sheet", () => {
  test("are checked as they are stored, whatever the format of text amounts beside them", () => {
    const checked = check([
      HEAD,
      [wallet(1), { stored: "1234.5" }],
      [wallet(2), "1.234,5"],
      [wallet(3), { stored: "1.125" }],
    ]);
    expect(checked).toMatchObject({ errors: [], chosenFormat: "1.234,56", points: "2470.125" });
  });

  test("have the line numbers of the sheet, also after empty rows and a title", () => {
    const table = read([["Payouts November"], [], HEAD, [wallet(1), "x"]]);
    expect(table.titles).toEqual(["Payouts November"]);
    expect(table.rows.map(({ line }) => line)).toEqual([3, 4]);
  });

  test("that are hidden are refused, and never paid or left out silently", () => {
    const rows = [
      HEAD,
      [wallet(1), { stored: "1" }],
      { cells: [wallet(2), { stored: "2" }], hidden: true as const },
    ];
    expect(() => check(rows)).toThrow(
      "has 1 hidden row, such as row 3, perhaps filtered out. Show them, and delete those not to be paid.",
    );
  });
});

describe("the sheet that is read", () => {
  const FILLED = sheet([HEAD, [wallet(1), { stored: "1.5" }]]);
  const EMPTY = sheet([], "Sheet2");
  const BLANK = sheet([["", { xml: '<c s="1"/>' }]], "Sheet3");
  const isChart: Change = (path, xml) => [
    path,
    xml.replace('worksheet" Target="worksheets/sheet2.xml', 'chartsheet" Target="chartsheets/sheet1.xml'),
  ];
  const keep: Change = (path, xml) => [path, xml];
  test.each<[what: string, sheets: SheetSpec[], change: Change, chosen: number | null, names: string[]]>([
    ["is the only one with cells", [EMPTY, FILLED, BLANK], keep, 1, ["Sheet2", "Payouts", "Sheet3"]],
    ["is no chart", [FILLED, sheet([], "Chart")], isChart, 0, ["Payouts"]],
    [
      "is the only one that is shown",
      [FILLED, { ...FILLED, name: "Old", isHidden: true }],
      keep,
      0,
      ["Payouts", "Old"],
    ],
    [
      "is chosen by the user if two have cells",
      [FILLED, EMPTY, { ...FILLED, name: "B" }],
      keep,
      null,
      ["Payouts", "Sheet2", "B"],
    ],
  ])("%s", (_, sheets, change, chosen, names) => {
    const { loaded } = openFile(changedFrom(sheets, change), { name: "a.xlsx" });
    expect(loaded.workbook?.sheet).toBe(chosen);
    expect(loaded.workbook?.sheets.map(({ name }) => name)).toEqual(names);
    expect(loaded.rowCount).toBe(chosen === null ? 0 : 1);
  });

  test("is not looked for among very many", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `<sheet name="${at}" r:id="i${at}"/>`);
    const links = many.map(
      (_, at) => `<Relationship Id="i${at}" Type="/worksheet" Target="worksheets/sheet1.xml"/>`,
    );
    const workbook = changedFrom([FILLED], (path, xml) => [
      path,
      xml
        .replace("<sheets>", `<sheets>${many.join("")}`)
        .replace(/(?<=<Relationships [^>]*>)(?=.*styles)/, links.join("")),
    ]);
    expect(openFile(workbook, { name: "a.xlsx" }).loaded.workbook).toMatchObject({ sheet: null });
    expect(workbook.read(99_999).rows).toHaveLength(2);
  });

  test("is not guessed among sheets that are large or unreadable", () => {
    const wide = sheet([[{ xml: "<c><v>1</v></c>" }]], "Wide");
    const workbook = changedFrom([FILLED, wide], (path, xml) => [
      path,
      xml.replace(/<c r="A1"><v>/, '<c r="XFD1\u001b[2J"><v>'),
    ]);
    expect(openFile(workbook, { name: "a.xlsx" }).loaded.workbook?.sheet).toBeNull();
    expect(() => workbook.read(1)).toThrow(
      "Line 1 has a value in XFD1⟨U+001B⟩[2J, beyond the first 256 columns. Delete it, or columns that are not needed.",
    );
  });
});

/** The payout of a file's bytes, or that it was refused. @throws any error that is not made for the user */
function payoutOf(bytes: Uint8Array): string {
  try {
    const { table, loaded } = openFile(openWorkbook(bytes), { name: "a.xlsx" });
    const { toAddress, points } = loaded.columns.map;
    if (toAddress === null || points === null) return "refused";
    const { questions, errors, transfers } = checkTable(table);
    return questions.length > 0 || errors.length > 0 ? "refused" : JSON.stringify(transfers);
  } catch (error) {
    if (error instanceof FileProblem) return "refused";
    throw error;
  }
}

describe("a damaged workbook", () => {
  const cell = (reference: string, text: string, isText = false) =>
    `<c r="${reference}"${isText ? ' t="str"' : ' s="0"'}><v>${text}</v></c>`;
  const small = (sheet: string) => ({
    ...withSheet("worksheet", "1.xml"),
    "_rels/w.xml.rels":
      '<R><Relationship Id="s" Type="/worksheet" Target="1.xml"/><Relationship Id="t" Type="/styles" Target="2.xml"/></R>',
    "1.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    "2.xml": '<styleSheet><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>',
  });
  const row = `<row r="1">${cell("A1", wallet(1), true)}${cell("B1", "1047")}</row>`;

  test.each([0, 6] as const)(
    "is refused or read to the same payout, whichever bit flips (level %i)",
    (level) => {
      const bytes = zipped(small(row), level);
      const meant = payoutOf(bytes);
      expect(meant).toContain('"points":"1047"');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = bytes.slice();
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        const payout = payoutOf(flipped);
        if (payout !== "refused") expect({ bit, payout }).toEqual({ bit, payout: meant });
      }
    },
  );

  test.each([
    ["a row that stands twice", row + row],
    ["a cell that stands twice", row.replace("</row>", `${cell("B1", "1")}</row>`)],
    ["a cell that stands twice, out of order", row.replace("</row>", `${cell("A1", "1")}</row>`)],
  ])("has %s", (_, rows) => {
    expect(() => openWorkbook(zipped(small(rows))).read(0)).toThrow("damaged");
  });

  test.each(["1.xml", "2.xml", "_rels/w.xml.rels"])("lacks %s", (path) => {
    const { [path]: _, ...parts } = small(row) as Record<string, string>;
    expect(() => openWorkbook(zipped(parts)).read(0)).toThrow("damaged");
  });

  const emptyLink = small(row)["_rels/w.xml.rels"].replace("2.xml", "");
  test.each([
    ["has a part twice", { "1.XML": "<worksheet/>" }],
    ["links its formats to nothing", { "_rels/w.xml.rels": emptyLink }],
  ])("%s", (_, other) => {
    expect(() => openWorkbook(zipped({ ...small(row), ...other })).read(0)).toThrow("damaged");
  });

  test("is none if its rows and cells have no names", () => {
    const plain = row.replaceAll(/ r="[^"]*"/g, "");
    expect(openWorkbook(zipped(small(plain + plain))).read(0).rows).toHaveLength(2);
  });
});

describe("a file is rejected with a remedy when it", () => {
  const good = () => writeWorkbook([sheet([HEAD, [wallet(1), "1"]])]);

  test("is cut off", () => {
    expect(() => openWorkbook(good().subarray(0, 400))).toThrow("damaged");
  });

  test("is not well-formed inside, or expands entities", () => {
    const entity = '<!DOCTYPE x [<!ENTITY a "1"><!ENTITY b "&a;&a;">]>';
    const read = (xml: string) =>
      openWorkbook(zipped({ ...withSheet("worksheet", "s.xml"), "s.xml": xml })).read(0);
    expect(() => read("<worksheet><row>")).toThrow("damaged");
    const { rows } = read(`${entity}<worksheet><row><c t="str"><v>&b;</v></c></row></worksheet>`);
    expect(rows[0]?.cells).toEqual(["&b;"]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "is an .xlsb workbook",
      { "_rels/.rels": documentAt("xl/workbook.bin"), "xl/workbook.bin": "x" },
      "an .xlsb workbook. Save it as .xlsx.",
    ],
    [
      "is a document",
      { "_rels/.rels": documentAt("w.xml"), "w.xml": "<document/>" },
      "not an Excel workbook",
    ],
    ["has only charts", withSheet("chartsheet", "c.xml"), "no sheet with cells"],
  ])("%s", (_, parts, message) => {
    expect(() => openWorkbook(zipped(parts))).toThrow(message);
  });

  test.each(["utf-16le", "utf-16be"])("is not, in %s", (encoding) => {
    const parts = Object.entries(unzipSync(good())).map(([path, bytes]) => {
      const text = Buffer.from(`\uFEFF${strFromU8(bytes).replace("UTF-8", "UTF-16")}`, "utf16le");
      return [path, new Uint8Array(encoding === "utf-16be" ? text.swap16() : text)] as const;
    });
    expect(openWorkbook(zipSync(Object.fromEntries(parts))).read(0).rows[1]?.cells).toEqual([wallet(1), "1"]);
  });

  test("would become larger than the bound when it is uncompressed, before that happens", () => {
    const bytes = good();
    // The declared size of the sheet, in the archive's directory.
    const text = Buffer.from(bytes);
    const at = text.lastIndexOf("xl/worksheets/sheet1.xml") - 46 + 24;
    text.writeUInt32LE(PART_BYTES_MAX + 1, at);
    expect(() => openWorkbook(new Uint8Array(text)).read(0)).toThrow("too large when uncompressed");
  });
});
