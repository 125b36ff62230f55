import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { checkTable } from "@/testing/check-text";
import { LIMITS, wallet } from "@/testing/factories";
import { type Cell, type SheetSpec, writeWorkbook } from "@/testing/write-workbook";
import type { Treatment } from "./checked";
import { findColumns } from "./map-columns";
import { openWorkbook, PART_BYTES_MAX } from "./read-workbook";
import { FIX_KINDS } from "./row-errors";

const HEAD = ["to_address", "points"];
const sheet = (rows: SheetSpec["rows"], name = "Payouts") => ({ name, rows });
const read = (rows: SheetSpec["rows"]) => openWorkbook(writeWorkbook([sheet(rows)])).read(0);
const cellsOf = (...cells: Cell[]) => read([["x", ...cells]]).rows[0]?.cells.slice(1);

const check = (rows: SheetSpec["rows"], treatment: Partial<Treatment> = {}) =>
  checkTable(read(rows), {
    contractAddress: wallet(0xc0),
    pointType: "PHASE2_POINTS",
    limits: LIMITS,
    treatment,
  });

type Change = (path: string, xml: string) => [path: string, xml: string] | null;

/** A workbook whose parts have other names or contents. */
function changed(change: Change) {
  const parts = unzipSync(writeWorkbook([sheet([HEAD, [wallet(1), { stored: "1.5" }]])]));
  const written = Object.entries(parts).flatMap(([path, bytes]) => {
    const part = change(path, strFromU8(bytes));
    return part ? [[part[0], strToU8(part[1])] as const] : [];
  });
  return openWorkbook(zipSync(Object.fromEntries(written)));
}

describe("a cell", () => {
  test("loses only the remains of binary arithmetic, which are counted", () => {
    const table = read([
      ["x", { stored: "0.30000000000000004" }],
      ["x", { stored: "1.1000000000000001" }],
    ]);
    expect(table.rows.map(({ cells }) => cells[1])).toEqual(["0.3", "1.1"]);
    expect(table.cleaned?.[1]).toEqual({ count: 2, stored: "0.30000000000000004", text: "0.3" });
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
      ["3.5", "= A1*2"],
      ["0x1", "#DIV/0!"],
    ]);
    expect(table.formulaCounts?.slice(1)).toEqual([2, 2]);
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

  test.each<[string, Change]>([
    ["without its texts", (path, xml) => (/shared/.test(path) ? null : [path, xml])],
  ])("%s is damaged, never a sheet of numbers", (_, change) => {
    expect(() => changed(change).read(0)).toThrow(
      "The texts of some cells are missing. The workbook is damaged.",
    );
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
    expect(table.titleRows).toBe(1);
    expect(table.rows.map(({ line }) => line)).toEqual([3, 4]);
  });

  test("that are hidden are asked about, and never paid silently", () => {
    const rows = [
      HEAD,
      [wallet(1), { stored: "1" }],
      { cells: [wallet(2), { stored: "2" }], hidden: true as const },
    ];
    expect(check(rows)).toMatchObject({ questions: ["hidden-rows"], hiddenCount: 1, transfers: [] });
    expect(check(rows, { hiddenRows: "leave-out" })).toMatchObject({ questions: [], points: "1" });
    expect(check(rows, { hiddenRows: "include" })).toMatchObject({ questions: [], points: "3" });
  });
});

describe("a file is rejected with a remedy when it", () => {
  const zip = (parts: Record<string, string>) =>
    zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
  const good = () => writeWorkbook([sheet([HEAD, [wallet(1), "1"]])]);

  test("is cut off", () => {
    expect(() => openWorkbook(good().subarray(0, 400))).toThrow("damaged");
  });

  test("is not well-formed inside, or expands entities", () => {
    const entity = '<!DOCTYPE x [<!ENTITY a "1"><!ENTITY b "&a;&a;">]>';
    const parts = (xml: string) => ({
      "_rels/.rels": '<R><Relationship Id="a" Type="/officeDocument" Target="w.xml"/></R>',
      "w.xml": '<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
      "_rels/w.xml.rels": '<R><Relationship Id="s" Type="/worksheet" Target="s.xml"/></R>',
      "s.xml": xml,
    });
    expect(() => openWorkbook(zip(parts("<worksheet><row>"))).read(0)).toThrow("damaged");
    const { rows } = openWorkbook(
      zip(parts(`${entity}<worksheet><row><c t="str"><v>&b;</v></c></row></worksheet>`)),
    ).read(0);
    expect(rows[0]?.cells).toEqual(["&b;"]);
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
