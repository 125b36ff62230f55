import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkText, otherNotes } from "@/testing/check-text";
import { wallet } from "@/testing/factories";
import { badRowsCsv } from "./check-rows";
import type { Treatment } from "./checked";
import { decodeFile, FileProblem, ROWS_MAX, requireRowsMax } from "./decode-file";
import { listed, visible } from "./file-words";
import { findColumns } from "./rank-columns";
import { readTable } from "./read-table";
import { FIX_KINDS, type FixKind, fixPoints } from "./row-errors";

/** Files of kinds that other importers read wrongly, from public bug reports. */
const A = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const B = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const C = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const D = "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb";
const E = "0x52908400098527886E0F7030069857D2E4169EE7";
/** The address of A with the checksum of Rootstock. */
const A30 = "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD";

const check = (text: string, treatment: Partial<Treatment> = {}) => checkText(text, { treatment });
const paid = (text: string, treatment?: Partial<Treatment>) => {
  const { transfers, questions, errors } = check(text, treatment);
  expect({ questions, errors }).toEqual({ questions: [], errors: [] });
  return transfers.map(({ toAddress, points }) => `${toAddress} ${points}`);
};
const AB = [`${A} 1.5`, `${B} 2.25`];

/** Read from its bytes. */
function utf16(text: string, isBigEndian = false): string {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return decodeFile(new Uint8Array(isBigEndian ? bytes.swap16() : bytes).buffer);
}

describe("the edges of a table", () => {
  test.each<[what: string, text: string, expected?: string[]]>([
    ["a line that names the separator", `sep=;\r\naddress;points\r\n${A};1,5\r\n${B};2,25\r\n`],
    ["such a line for another sign", `sep=^\naddress^points\n${A}^1.5\n${B}^2.25\n`],
    ["titles", `Season 3 payout\nExported,2026-03-01\n\naddress,points\n${A},1.5\n${B},2.25\n`],
    ["a header that begins with 0x", `0x Address,points\n${A},1.5\n${B},2.25\n`],
    ["a space before quotation marks", `address, points\n"${A}", "1.5"\n"${B}" ,\t"2.25" \n`],
    ["spaces and tabs", `${A}  1.5\n${B}\t2.25\n`],
    ["a header and spaces", `address amount\n${A} 1.5\n\n${B} 2.25\n`],
    ["colons", `${A}: 1.5\n${B}:2.25\n`],
    ["arrows", `${A} -> 1.5\n${B} => 2.25\n`],
    ["a German list without a heading", `${A};1,5\n${B};2,25\n`],
    ["a comma for decimals after a space", `${A} 1,5\n${B} 2,25\n`],
    ["commas for decimals too", `${A},1,5\n${B},2,25\n${C},3\n`, [...AB, `${C} 3`]],
    ["such commas before cents", `${A},1,50\n${B},2,25\n${C},3,05\n`, [...AB, `${C} 3.05`]],
    ["a cell too many in R's heading", `"address" "amount"\n"1" "${A}" 1.5\n"2" "${B}" 2.25\n`],
    ["R's table without quotation marks", `address amount\n1 ${A} 1.5\n2 ${B} 2.25\n`],
    ["R's table with names of rows", `"address" "amount"\n"x" "${A}" 1.5\n"y" "${B}" 2.25\n`],
    ["R's table with tabs", `address\tamount\n1\t${A}\t1.5\n2\t${B}\t2.25\n`],
    ["R's table with commas", `"address","amount"\n"1","${A}",1.5\n"2","${B}",2.25\n`],
    ["R's table without row names", `"address" "amount"\n"${A}" 1.5\n"${B}" 2.25\n`],
    ["texts written as formulas", `address,amount,reference\n="${A}",="1.5",=""\n"=""${B}""",2.25,""\n`],
    ["a mixture of signs", `${A},1.5\n${B};2.25\n${C} 3\n`, [...AB, `${C} 3`]],
    ["the amount first", `1.5 ${A}\n2.25 ${B}\n`],
    ["semicolons, and more commas", `${A};1,234,567\n${B};2\n`, [`${A} 1234567`, `${B} 2`]],
    ["a JSON list of objects", `[{"address":"${A}","amount":1.5},\n{"address":"${B}","amount":2.25}]`],
    ["a JSON list of pairs", `\uFEFF[["${A}", 1.5], ["${B}", "2.25"]]`],
    ["UTF-16 in the other byte order", utf16(`to\tpoints\n${A}\t1.5\n${B}\t2.25\n`, true)],
    ["a list below keys", `{"data":{"n":2,"rows":[{"id":"${A}","sum":"1.5"},{"id":"${B}","sum":"2.25"}]}}`],
    ["nodes", `{"u":{"edges":[{"node":{"id":"${A}","sum":"1.5"}},{"node":{"id":"${B}","sum":2.25}}]}}`],
    [
      "a dump of a tree, with its hashes",
      `{"format":"standard-v1","tree":["0x${"ab".repeat(32)}"],"values":[{"value":["${A}","1.5"],"treeIndex":1},{"value":["${B}","2.25"],"treeIndex":0}]}`,
    ],
    [
      "claims by address",
      `{"merkleRoot":"0x${"ab".repeat(32)}","claims":{"${A}":{"index":0,"amount":"1.5","proof":[]},"${B}":{"index":1,"amount":"2.25","proof":["0x${"cd".repeat(32)}"]}}}`,
    ],
    ["rewards with a reason", `{"token":"${C}","rewards":{"${A}":{"swap":"1.5"},"${B}":{"swap":"2.25"}}}`],
    ["named rows", `{"0":{"address":"${A}","amount":1.5},"1":{"address":"${B}","amount":2.25}}`],
    ["a JSON object of objects", `{"${A}": {"amount": 1.5}, "${B}": {"amount": 2.25}}`],
    ["JSON lines of pairs", `["${A}",1.5]\n["${B}","2.25"]\n`],
    ["JSON lines", `{"to":"${A}","points":1.5}\n{"to":"${B}","points":2.25}\n`],
    [
      "the API's own body",
      `{"pointType":"PHASE2_POINTS","secondsToFinalize":60,"transfers":[{"toAddress":"${A}","points":"1.5"},{"toAddress":"${B}","points":"2.25"}]}`,
    ],
  ])("may be or have %s", (_, text, expected = AB) => {
    expect(paid(text)).toEqual(expected);
  });

  test("name the list that is read, and several lists instead of choosing one", () => {
    const list = `[{"id":"${A}","points":"5"}]`;
    expect(otherNotes(check(`{"data":{"rows":${list}}}`))).toEqual(["Only “data.rows” is read."]);
    expect(otherNotes(check(`{"transfers":${list}}`))).toEqual([]);
    expect(otherNotes(check(`{"pointType":"X","transfers":${list}}`))).toEqual([
      "Only “transfers” is read. Ignored: pointType.",
    ]);
    expect(() => readTable(`{"old":${list},"data":{"new":${list}}}`)).toThrow("recipients: old, data.new.");
    expect(() => readTable("[{}]")).toThrow("The rows have no values.");
  });

  test.each<[more: string, key?: string]>([
    [`"hasMore":true`, "hasMore"],
    [`"links":{"prev":null,"next":"https://example.com/?page=2"}`, "next"],
    [`"last_evaluated_key":{"wallet":"${A}x"}`, "last_evaluated_key"],
    [`"page":1,"total":300`, "total"],
    [`"@odata.nextLink":"https://example.com/?page=2"`, "@odata.nextLink"],
    [`"last":false,"number":0`, "last"],
    [`"number":0,"totalPages":3`, "totalPages"],
    [`"total_pages":3,"total_count":1`],
    [`"offset":"itr/rec"`, "offset"],
    [`"offset":0,"pageInfo":{"hasNextPage":false,"endCursor":"x"}`],
    [`"totalRows":"300"`, "totalRows"],
    [`"has_more":false,"next":{"cursor":null},"cursor":"x","page":3,"count":1`],
    [`"total":300`],
  ])("are one page of an answer, which is said: %s", (more, key) => {
    const doubt = `“${key}” says that the file is not the whole list. Only its 1 row would be paid.`;
    const { doubts } = check(`{"data":{"rows":[{"id":"${A}","points":"5"}]},${more}}`);
    expect(doubts).toEqual(key ? [doubt] : []);
  });

  test("are counted, and lines keep their numbers", () => {
    const table = readTable(`sep=,\nSeason 3\nExported,2026\n\naddress,points\n${A},1\nbob.eth,2\n`);
    expect(table.titles).toEqual(["Season 3", "Exported,2026"]);
    expect(table.rows.map(({ line }) => line)).toEqual([5, 6, 7]);
    const json = check(`[\n {"address": "${A}", "amount": 1},\n {"address": "bob.eth", "amount": 2}\n]`);
    expect(json.errors).toMatchObject([{ line: 3, value: "bob.eth" }]);
  });

  test("are the rows' places where JSON has them on one line, so that one error is one row's", () => {
    const text = `[{"to":"${A}","points":"x"},{"to":"${B}","points":2},{"to":"${A}","points":3}]`;
    const checked = check(text);
    const { errors, transfers } = checked;
    expect(errors.map(({ line, value }) => [line, value])).toEqual([
      [1, "x"],
      [3, A],
    ]);
    expect(transfers).toEqual([{ toAddress: B, points: "2" }]);
    expect(otherNotes(checked)).toEqual([expect.stringContaining("so line numbers count the rows from 1.")]);
    const table = readTable(text);
    const report = badRowsCsv(table, findColumns(table), check(text)).split("\r\n");
    expect(report.map((line) => line.split(",").slice(0, 3).join())).toEqual([
      "to,points,line",
      `${A},x,1`,
      `${A},3,3`,
      "",
    ]);
  });

  test("never hide a row that may be a transfer", () => {
    for (const heading of ["", "Wallet,Amount\n"]) {
      const table = readTable(`bob.eth,5\n${heading}${A},1\n`);
      expect([table.titles, findColumns(table).header]).toEqual([[], false]);
    }
  });

  test("numbers of JSON keep every digit, and exponents are exact", () => {
    const text = `{"${A}": 12345678901234567890.123456789012, "${B}": 1.5E+3, "${C}": 2500e-3}`;
    expect(paid(text)).toEqual([`${A} 12345678901234567890.123456789012`, `${B} 1500`, `${C} 2.5`]);
    expect(check(`{"${A}": 0.30000000000000004}`).errors).toMatchObject([
      { value: "0.30000000000000004", message: expect.stringContaining("Rounded down to 0.3, it loses") },
    ]);
  });

  test("JSON that is cut off is refused with its line, and a key that is there twice is no transfer less", () => {
    expect(() => readTable(`[{"to":"${A}","amount":1},\n{"addr`)).toThrow("Line 2: this is not valid JSON");
    expect(() => readTable(`[{"to":"${A}","amount":1,\n"amount":2}]`)).toThrow("“amount” is there twice");
    expect(check(`{"${A}":1,"${A}":2}`).duplicateCount).toBe(1);
    // Miller takes an address for a number, and writes it as one.
    expect(() => readTable(`[{ "to": ${A}, "points": 1 }]`)).toThrow("Line 1: put quotation marks around 0x");
  });
});

describe("what would be misread is refused", () => {
  test.each([
    ["a note", `to,note,points\n${A},"a,1.5\n${B},b",2.25\n`],
    ["quoted cells", `to;note;points\n${A};"a;1.5\n'${C}';y;7\n${B};b";2\n`],
  ])("rows inside a quoted cell: %s", (_, text) => {
    expect(() => readTable(text)).toThrow('Line 2: a quotation mark (") is closed only after other rows.');
  });

  test.each([
    ["<html><table>", "web page"],
    ["%PDF-1.7", "PDF"],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<gnm:Workbook', "a .gnumeric workbook"],
    ["\u001f\u008b\b", "compressed"],
    ["\u00d0\u00cf\u0011\u00e0\u00a1", "without a password"],
    ["a\u00e9b", "not UTF-8 text"],
    ["a\0b", "binary data"],
    ["a\0d\0d\0", "UTF-16 text without a byte-order mark"],
    ["\0a\0d\0d", "UTF-16 text without a byte-order mark"],
    ["\u00ff\u00fe\0\0a\0\0\0", /UTF-32 text.*choose CSV UTF-8/],
    ["\0\0\u00fe\u00ff\0\0\0a", "UTF-32 text"],
    ["a\0\0\0d\0\0\0", "UTF-32 text"],
  ])("a file of another kind: %j", (start, kind) => {
    const open = () => decodeFile(new Uint8Array(Buffer.from(start, "latin1")).buffer);
    expect(open).toThrow(FileProblem);
    expect(open).toThrow(kind);
  });

  test("rows with a cell before those that are named", () => {
    const message = "one name fewer than the rows have cells";
    expect(() => readTable(`address,amount\n1,${A},500\n2,${B},700\n`)).toThrow(message);
    expect(() => readTable(`amount;address\n1;500;${A}\n2;700;${B}\n`)).toThrow(message);
  });

  test("an unclosed quotation mark, whose line the error names", () => {
    expect(() => readTable(`to,points\n${A},1\n"${A},2\n${A},3`)).toThrow(/^Line 3: unclosed quotation mark/);
  });

  test("too many rows, before they are checked", () => {
    expect(() => requireRowsMax(Array(ROWS_MAX + 1))).not.toThrow();
    expect(() => readTable("x\n".repeat(ROWS_MAX + 2))).toThrow("more than 250,000 rows");
    expect(() => readTable(`# note\n${A},1\n${"x\n".repeat(600_000)}`)).toThrow("more than 250,000 rows");
  });
});

describe("a column is never chosen against its name", () => {
  test.each([
    ["from,amount", [C, "1"], 0, 1],
    ["address,to_wallet,amount", [C, A, "1"], 1, 2],
    ["from,to,amount", [C, A, "1"], 1, 2],
    ["contract_address,holder,balance", [C, A, "1"], 1, 2],
    ["address,amount,currencyAddress", [A, "1", C], 0, 1],
    ["txhash,address,amount", [`0x${"ab".repeat(32)}`, A, "1"], 1, 2],
    ["id,address", ["1", A], 1, null],
    ["wallet,chain_id", [A, "81457"], 0, null],
    ["wallet,discord_id", [A, "1700000000"], 0, null],
    ["wallet,percentage", [A, "40"], 0, null],
    ["wallet,amount_wei", [A, "40"], 0, 1],
    ["wallet,year,paid", [A, "2026", "40"], 0, null],
    ["who,how much", [A, "1"], 0, 1],
    ["id,recipient,value", ["7", "0x12", "1"], 1, 2],
    ["to,points,points", [A, "1", "2"], 0, null],
    ["to", [A], 0, null],
  ] as const)("%s", (header, cells, toAddress, points) => {
    expect(findColumns(readTable(`${header}\n${cells.join(",")}\n`)).map).toMatchObject({
      toAddress,
      points,
    });
  });

  test("nor when there is none: the third column may be the rest of 1,000", () => {
    expect(findColumns(readTable(`${A},1,000\n`)).map.points).toBeNull();
    expect(findColumns(readTable(`${A},x\n`))).toMatchObject({ header: false, map: { points: null } });
    expect(findColumns(readTable(`to,leaf\n${A},0x${"ab".repeat(32)}\n`)).map.points).toBeNull();
    expect(findColumns(readTable(`to,points\n${A},x\n`)).map.points).toBe(1);
    expect(findColumns(readTable(`${A},~5\n`)).map.points).toBe(1);
  });
});

describe("a row whose amount the file's separator may have split is an error, and never paid", () => {
  test.each([
    ["more cells than the header names", `to,points\n${A},1,000\n${B},5\n`, "1,000"],
    ["a spare column", `to,points,note\n${A},1,000,\n${B},5,x\n`, "1,000"],
    ["a decimal comma", `to,points,note\n${A},1,5\n${B},5,x\n`, "1,5"],
    ["a spare column of numbers without a name", `to,points,\n${A},100,1\n${B},50,x\n`, "100,1"],
    ["groups and decimals", `to,points,note\n${A},1,234.50,\n`, "1,234.50"],
    ["a missing label before the amount", `to,label,points\n${A},1,500\n${B},x,5\n`, "1,500"],
    ["curly quotation marks", `to,points,note\n${A},“1,234.50”,\n${B},5,\n`, "1,234.50"],
    ["spaces as separators", `${A} 1 500\n${B} 5\n`, "1 500"],
  ])("%s", (_, text, value) => {
    const message =
      "This may be one amount or several values. If it is one, put it in quotes. " +
      "If not, separate the cells by semicolons or tabs.";
    const { errors, questions } = check(text);
    expect(errors).toMatchObject([{ code: "invalid_points", value, message }]);
    expect(questions).toEqual([]);
  });

  test.each([
    ["a quoted amount", `to,points,note\n${A},"1,234.5",x\n`],
    ["a number far from the amount", `id,to,note,points\n7,${A},x,1.5\n`],
    ["an empty spare column", `to,points,id\n${A},1.5,\n`],
    ["a comma in a semicolon file", `to;points\n${A};1,5\n`],
    ["a reference", `to,points,reference\n${A},150,1001\n${B},250.5,1002\n`],
    ["quoted references", `"to","points","reference"\n"${A}","150","1001"\n"${B}","99","x"\n`],
    ["a quoted neighbour of any name", `to,points,note\n${A},150,"1001"\n${B},99,x\n`],
    ["a rank before the amount", `rank,points,to\n1,500,${A}\n2,250,${B}\n`],
    ["an ID of which some are texts", `to,points,id\n${A},150,1001\n${B},99,x\n`],
    ["a number where others have a dash", `to,points,bonus\n${A},5,-\n${B},6,250\n${C},7,–\n`],
  ])("but not %s", (_, text) => {
    expect(check(text)).toMatchObject({ questions: [], errors: [] });
  });

  test("nor a named column of numbers next to it, which is noted", () => {
    const notesWith = (name: string) => otherNotes(check(`to,points,${name}\n${A},1,10\n${B},2,5000\n`));
    for (const name of ["bonus", "rank"])
      expect(notesWith(name)).toEqual([`Not read: the numbers in “${name}” (column 3).`]);
  });

  test("nor text beyond the columns, which is noted", () => {
    const checked = check(`to,points\n${A},1,thanks\n${B},5\n`);
    expect(checked).toMatchObject({ questions: [], errors: [], points: "6" });
    expect(otherNotes(checked)).toEqual([
      "1 row has more cells than the heading or the first row. These are not read: thanks.",
    ]);
  });

  /** Amount and neighbour of each row. */
  test.each<[what: string, name: string, rows: string[], total: string | null]>([
    ["thousands under a note", "note", ["1,234", "2,500"], null],
    ["thousands under a reference", "reference", ["1,234", "12,500"], null],
    ["thousands under a bonus", "bonus", ["1,000", "250,500"], null],
    ["thousands with decimals", "rank", ["1,234.50", "2,500"], null],
    ["references beside amounts", "reference", ["150,1001", "250.5,1002"], "400.5"],
    ["short references beside long amounts", "reference", ["1500,101", "25,102"], "1525"],
    ["short references, some with letters", "reference", ["150,101", "25,s102"], "175"],
    ["ranks", "rank", ["150,1", "99,2"], "249"],
    ["quoted references", "reference", ['"150","101"', '"99","102"'], "249"],
  ])("a comma that cut amounts, and values of their own: %s", (_, name, rows, total) => {
    const text = `to,points,${name}\n${rows.map((row, at) => `${[A, B][at]},${row}\n`).join("")}`;
    const { badRows, points } = check(text);
    expect([badRows, points]).toEqual(total === null ? [2, "0"] : [0, total]);
  });

  test("a row of many numbers is one row, however many", () => {
    const { rowCount, badRows } = check(`to,points\n${A},1\n${B},${"1,".repeat(16_000)}1\n`);
    expect([rowCount, badRows]).toEqual([2, 1]);
  });
});

describe("a fix is offered, named and applied only on request", () => {
  test.each([
    ["prefix", `blast:${A}`, A, "blast:"],
    ["prefix", `eip155:1:${A}`, A, "eip155:1:"],
    ["prefix", `${D}@81457`, D, "@81457"],
    ["prefix", `ethereum:${E}@1?value=1e18`, E, "ethereum:, @1"],
    ["prefix", `https://etherscan.io/address/${A.toLowerCase()}#code`, A.toLowerCase(), "etherscan.io"],
    ["prefix", `rsk:${A30}`, A, "rsk:, Rootstock"],
    ["checksum", A30, A, "Rootstock"],
    ["checksum", `'${A30}'`, A, "Rootstock"],
    ["form", `${A}\u200b`, A, "U+200B"],
    ["form", `\u202a${A}\u202c`, A, "U+202A, U+202C"],
    ["form", `${E.slice(0, 9)}\u00ad${E.slice(9)}`, E, "U+00AD"],
    ["form", `'${A}`, A, ""],
    ["form", `\`${C}\``, C, ""],
    ["form", `<${D}>`, D, ""],
  ] as const)("%s: %s is %s (%s)", (kind, given, address, names) => {
    const text = `address;points\n${given};1\n${wallet(7)};2\n`;
    const { errors, fixes } = check(text);
    expect(errors).toMatchObject([{ message: expect.stringContaining(address) }]);
    expect(errors[0]?.message).toContain(names);
    expect(fixes).toMatchObject([{ kind, count: 1, first: { line: 2, value: address } }]);
    expect([...fixes[0]!.names.keys()].join(", ")).toBe(names);
    const unrelated = FIX_KINDS.filter((other): other is FixKind => other !== kind);
    expect(check(text, { fixes: unrelated }).badRows).toBe(1);
    expect(paid(text, { fixes: [kind] })[0]).toBe(`${address} 1`);
  });

  test.each([
    `eth:${A.replace("BeAed", "BeAeD")}`,
    `ethereum:${A}/transfer?address=${B}`,
    `https://etherscan.io/token/${A}?a=${B}`,
    `https://etherscan.io/token/${A}`,
    `https://etherscan.io/tx/0x${"ab".repeat(32)}`,
    `${A},${B}`,
  ])("never for %s", (given) => {
    expect(check(`address;points\n${given};1\n${wallet(7)};2\n`)).toMatchObject({ badRows: 1, fixes: [] });
  });

  test("for amounts between quotation marks or with marks that nobody sees", () => {
    const text = `address;points\n${A};“2”\n${B};'3\n${C};\u202a4.5\u202c\n`;
    expect(check(text).fixes.map(({ kind, count }) => [kind, count])).toEqual([["form", 3]]);
    expect(paid(text, { fixes: ["form"] })).toEqual([`${A} 2`, `${B} 3`, `${C} 4.5`]);
    expect(visible("\u200e0x")).toBe("⟨U+200E⟩0x");
  });

  test("for more than 12 decimals: zeros are dropped without loss, and the difference in total is exact", () => {
    const row = (address: string, points: string) => `native,,${address},${points},\n`;
    const text = `token_type,token_address,receiver,amount,id\n${row(A, "29.047068684226095637")}${row(B, "16.185603484162678518")}${row(C, "29.000000000000000000")}${row(D, "2538.0000000000005")}`;
    const checked = check(text);
    expect(checked).toMatchObject({ questions: [], badRows: 3, points: "29" });
    expect(checked.fixes).toMatchObject([{ kind: "decimals", count: 3, loss: "0.000000000001274155" }]);
    expect(paid(text, { fixes: ["decimals"] })).toEqual([
      `${A} 29.047068684226`,
      `${B} 16.185603484162`,
      `${C} 29`,
      `${D} 2538`,
    ]);
  });

  test("for an exponent as programs write exact numbers, but not as spreadsheets do, which may have lost digits", () => {
    const small = `address,amount\n${A},1e+05\n${B},2.505e2\n${C},1e-05\n${D},1.2345678e-06\n${E},1e+40\n`;
    const { errors, fixes } = check(small);
    expect(errors[0]?.message).toBe(
      "Scientific notation, as R, pandas and Postgres write it: exactly 100000, unless it was rounded.",
    );
    expect(fixes.map(({ kind, count, loss }) => [kind, count, loss])).toEqual([
      ["decimals", 1, "0.0000000000008"],
      ["exponent", 3, "0"],
    ]);
    const fixed = check(small, { fixes: ["exponent", "decimals"] });
    expect(fixed.transfers.map(({ points }) => points)).toEqual(["100000", "250.5"]);
    expect(fixed.errors.map(({ line, code }) => [line, code])).toEqual([
      [4, "points_below_minimum"],
      [5, "points_below_minimum"],
      [6, "invalid_points"],
    ]);
    const text = `HolderAddress,Balance\n${A},2130924.609038455654\n${B},2E+03\n${C},1.5E+21\n${D},4.4E-07\n5.29084E+39,5\n`;
    const spreadsheet = check(text);
    expect([spreadsheet.points, spreadsheet.fixes]).toEqual(["2130924.609038455654", []]);
    expect(spreadsheet.errors.map(({ line, message }) => [line, message.split(".")[0]])).toEqual([
      [3, "Scientific notation may have lost digits"],
      [4, "Scientific notation may have lost digits"],
      [5, "Scientific notation may have lost digits"],
      [6, "A spreadsheet turned the address into a number"],
    ]);
  });

  test.each<[program: string, written: string, exact: string | null]>([
    ["R 4.2 write.csv", "1e+05", "100000"],
    ["Postgres 15 float8", "1.23456789012345e+20", "123456789012345000000"],
    ["pandas 1.5", "1.5e-05", "0.000015"],
    ["mawk 1.3 print", "1.85185e+08", null],
    ["C printf %g", "1.23457e+07", null],
    ["GNU Octave 7 disp", "1.85185e+08", null],
    ["C printf %e", "1.851850e+08", null],
    ["Java 17 Double.toString", "1.23456789123456E8", "123456789.123456"],
    ["Java 17 Double.toString", "1.0E7", "10000000"],
    ["Python 3.11 Decimal", "1E+5", "100000"],
    ["Python 3.11 Decimal", "4.4E-7", "0.00000044"],
    ["Python 3.11 Decimal", "0E-18", "0"],
    ["PHP 8.2", "1.0E+25", "10000000000000000000000000"],
    [".NET 7 double", "1.2345678901234567E+20", "123456789012345670000"],
    ["Free Pascal 3.2 writeln", "1.8518500000000000E+008", "185185000"],
    ["Excel 2021", "1.85E+08", null],
    ["Excel 2021", "1.23457E+11", null],
    ["LibreOffice 7.4", "1.23456789012346E+15", null],
    ["Excel 2021", "4.4E-07", null],
    ["Python 3.11 Decimal", "1E-12", "0.000000000001"],
  ])("an exponent is exact, or may be rounded, by its form: %s writes %s", (_, written, exact) => {
    const fix = fixPoints(written, null, false);
    expect(fix?.kind === "exponent" ? fix.value : null).toBe(exact);
  });

  test("more than 12 decimals keep their digits, unless most amounts end in binary noise", () => {
    const fixed = (...amounts: string[]) =>
      check(`address,amount\n${amounts.map((amount, at) => `${wallet(at + 1)},${amount}\n`).join("")}`, {
        fixes: ["decimals"],
      }).transfers.map(({ points }) => points);
    expect(fixed("4417371892.274869985746070971", "8620152636.966211687082210543")).toEqual([
      "4417371892.274869985746",
      "8620152636.966211687082",
    ]);
    expect(fixed("0.28999999999999998001", "434640.97999999998138")).toEqual(["0.29", "434640.98"]);
  });

  test("any number with a small e is exactly itself", () => {
    const parts = fc.tuple(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(parts, ([digits, exponent]) => {
        const [first, ...rest] = String(digits);
        const given = `${first}${rest.length > 0 ? `.${rest.join("")}` : ""}e+${exponent}`;
        const zeros = exponent - rest.length;
        const whole = zeros >= 0 ? `${digits}${"0".repeat(zeros)}` : String(digits).slice(0, zeros);
        const decimals = zeros >= 0 ? "" : String(digits).slice(zeros).replace(/0+$/, "");
        expect(fixPoints(given, null, false)?.value).toBe(`${whole}${decimals && `.${decimals}`}`);
      }),
    );
  });

  test("but none for an apostrophe before a reference of another program's file, which is an error", () => {
    const text = `to,points,reference\n${A},1,'@alice\n${B},2,'1001\n${C},3,o'k\n`;
    const message = "Begins with an apostrophe, as spreadsheets mark a text. Remove it.";
    expect(check(text, { fixes: FIX_KINDS }).errors).toMatchObject([
      { value: "'@alice", message },
      { value: "'1001", message },
    ]);
    const table = readTable(text);
    const report = badRowsCsv(table, findColumns(table), check(text));
    expect(report).toContain("''@alice");
    expect(check(report).badRows).toBe(2);
    expect(check(`[{"to":"${A}","points":1,"reference":"'x"}]`).transfers[0]?.reference).toBe("'x");
  });
});

describe("names from a file are printable and short in every message", () => {
  const hostile = `a\u001b[2J\u009b\u0007${"x".repeat(100_000)}`;
  const messagesOf = (text: string): string[] => {
    try {
      const table = readTable(text);
      const { names, map } = findColumns(table);
      if (map.toAddress === null || map.points === null) return [listed(names)];
      const { errors, notes, fixes } = check(text);
      return [
        ...notes,
        ...errors.flatMap(({ column, message }) => [column, message]),
        ...fixes.flatMap(({ names }) => [...names.keys()]),
      ];
    } catch (error) {
      return [(error as FileProblem).message];
    }
  };
  const key = JSON.stringify(hostile);
  const list = `[{"id":"${A}","points":"5"}]`;

  test.each<[what: string, text: string]>([
    ["column names", `${hostile},num\nx,1\n`],
    ["many column names", `${Array.from({ length: 5000 }, (_, at) => `column ${at}`).join()}\nx\n`],
    ["a column with an error", `to,points ${hostile}\n${A},x\n`],
    ["a column that is not sent", `to,points,${hostile}\n${A},1,000\n${B},2,500\n`],
    ["keys beside the list", `{${key}:1,"transfers":${list}}`],
    ["many keys", `{${Array.from({ length: 5000 }, (_, at) => `"k${at}":1`).join()},"transfers":${list}}`],
    ["keys above the list", `{${key}:{"rows":${list}}}`],
    ["keys above several lists", `{${key}:${list},"b":${list}}`],
    ["a key that is there twice", `[{${key}:1,${key}:2}]`],
    ["a chain's prefix", `to;points\n${"x".repeat(900)}:${A};1\n${B};2\n`],
    ["a reference", `to;points;reference\n${A};1;'${hostile}\n`],
  ])("%s", (_, text) => {
    const messages = messagesOf(text);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message).not.toMatch(/\p{Cc}/u);
      expect(message.length).toBeLessThan(1500);
    }
  });

  test("a value is cut where it is only shown", () => {
    expect(check(`to;points\n${A};${"x".repeat(100_000)}\n`).errors[0]?.value).toHaveLength(500);
  });
});

test.each([
  ["points", ["5000000000000000000", "250000000"], "Every amount is a whole number with many digits"],
  ["decimals,value", ["6,12345678", "6,7000001"], "“value” may be another unit than points."],
  ["points", ["5214744216085791000", "939782194582608103500", "5"], "Most amounts are whole numbers"],
  ["points (k)", ["5", "7"], "“points (k)” may be another unit than points."],
  ["Points ('000)", ["5", "7"], "“Points ('000)” may be another unit than points."],
  ["金额（万）", ["5", "7"], "“金额（万）” may be another unit than points."],
  ["amount_usd", ["5", "7"], "“amount_usd” may be another unit than points."],
  ["unit,points", ["k,5", "k,7"], "“k” may be another unit than points."],
  ["points", ["5000000", "7"], undefined],
  ["points", ["5000000.5", "7000000"], undefined],
  ["points", ["1234567", "7654321"], undefined],
])("“%s” of %j may be of another unit: %s", (name, amounts, note) => {
  const rows = amounts.map((amount, at) => `${wallet(at + 1)},${amount}\n`);
  const { doubts } = check(`to,${name}\n${rows.join("")}`);
  expect(doubts).toEqual(note ? [expect.stringContaining(note)] : []);
});

test("a title says the unit of all amounts", () => {
  const { doubts } = check(`Rewards (in thousands)\nto,points\n${A},5\n${B},7\n`);
  expect(doubts.join()).toContain("“Rewards (in thousands)” may be another unit than points.");
});
