import { describe, expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { decodeFile, FileProblem, ROWS_MAX } from "./decode-file";
import { findColumns } from "./map-columns";
import { readTable } from "./read-table";

const A = wallet(1);

describe("a table", () => {
  test("counts its empty lines", () => {
    expect(readTable("a,b\n\n , \n1,2\n\n").emptyLines).toBe(3);
    expect(readTable("").emptyLines).toBe(0);
  });

  test("with an unclosed quotation mark is rejected, and the error names its line", () => {
    expect(() => readTable(`to,points\n${A},1\n"${A},2\n${A},3\n`)).toThrow(
      /^Line 3: unclosed quotation mark/,
    );
  });

  test("with too many rows is rejected before it is checked", () => {
    expect(() => readTable("x\n".repeat(ROWS_MAX + 1))).toThrow("up to 250,000");
  });

  test("with commas may have semicolons in a later column", () => {
    expect(readTable(`to,points,note\n${A},1,a;b;c;d\n`).rows[1]?.cells).toEqual([A, "1", "a;b;c;d"]);
  });
});

describe("the columns", () => {
  const mapOf = (text: string) => {
    const { header, map } = findColumns(readTable(text));
    return [header, map.toAddress, map.points];
  };
  test.each([
    ["points,to_address\n1,0x12\n", [true, 1, 0]],
    ["Wallet Address;Amount\n0x12;1\n", [true, 0, 1]],
    ["id,recipient,value\n7,0x12,1\n", [true, 1, 2]],
    [`who,how much\n${A},1\n`, [true, 0, 1]],
    [`${A},1\n`, [false, 0, 1]],
    [`1,${A}\n`, [false, 1, 0]],
    [`${A},x\n`, [false, 0, 1]],
  ] as const)("of %j are detected", (text, expected) => {
    expect(mapOf(text)).toEqual(expected);
  });

  test.each([
    ["three without names: the third may be the rest of 1,000", `${A},1,000\n`],
    ["two of the same name", `to,points,points\n${A},1,2\n`],
    ["one alone", `to\n${A}\n`],
  ])("are left to the user when they are %s", (_, text) => {
    expect(mapOf(text)[2]).toBeNull();
  });

  test("get default names, and sample values", () => {
    const columns = findColumns(readTable(`to,,points\n${A},x,1\n${A},y,2\n`));
    expect(columns.names).toEqual(["to", "Column 2", "points"]);
    expect(columns.samples[1]).toEqual(["x", "y"]);
  });
});

describe("the bytes of a file", () => {
  const bytes = (...values: number[]) => new Uint8Array(values).buffer;
  test("in UTF-16, which spreadsheets write as “Unicode text”, are read", () => {
    expect(decodeFile(bytes(0xff, 0xfe, 0x61, 0, 0x3b, 0))).toBe("a;");
    expect(decodeFile(bytes(0xfe, 0xff, 0, 0x61))).toBe("a");
  });
  test.each([
    ["an old or encrypted workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /without a password/],
    ["another encoding", bytes(0x61, 0xe9, 0x62), /not UTF-8 text/],
    ["binary data", bytes(0x61, 0, 0x62), /binary data/],
  ])("of %s are rejected with a remedy", (_, given, message) => {
    expect(() => decodeFile(given)).toThrow(FileProblem);
    expect(() => decodeFile(given)).toThrow(message);
  });
});
