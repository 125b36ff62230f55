import { describe, expect, test } from "vitest";
import { checkTable } from "@/testing/check-text";
import { wallet } from "@/testing/factories";
import type { Checked } from "./checked";
import { OwnComparison, type StoredBatch } from "./compare-own";
import { findColumns, type KnownMap } from "./rank-columns";
import { readTable } from "./read-table";

const CONTRACT = "0x00000000000000000000000000000000000000c1";
const OTHER = "0x00000000000000000000000000000000000000c2";
const HEAD =
  "row,to_address,label,points,point_type,batch_id,contract_label,contract_address,reverses,reference";

const line = (at: number, reference: string, batchId = "p19", contract = CONTRACT) =>
  `${at},${wallet(at)},,${at}.5,PHASE2_POINTS,${batchId},Ann,${contract},,${reference}`;
const stored = (references: (string | undefined)[], change: Partial<StoredBatch> = {}): StoredBatch => ({
  contractAddress: CONTRACT,
  batchId: "p19",
  status: "FINALIZED",
  reverses: null,
  transfers: references.map((reference, at) => ({
    toAddress: wallet(at + 1),
    points: `${at + 1}.5`,
    ...(reference !== undefined && { reference }),
  })),
  ...change,
});

function read(lines: string[], head = HEAD) {
  const table = readTable([head, ...lines].join("\n"));
  const columns = findColumns(table);
  return { table, columns: { ...columns, map: columns.map as KnownMap } };
}
function compareOwn(file: ReturnType<typeof read>, batches: StoredBatch[]) {
  const comparison = new OwnComparison(file, CONTRACT);
  for (const batch of batches) comparison.add(batch);
  return comparison;
}
const checkedOf = (rowCount: number) => ({ rowCount, errors: [], notes: [] }) as unknown as Checked;
const compared = (lines: string[], batches: StoredBatch[], head = HEAD) =>
  compareOwn(read(lines, head), batches).appliedTo(checkedOf(lines.length));
const namedIn = (file: ReturnType<typeof read>) => new OwnComparison(file, CONTRACT).named;

const REWRITTEN: [stored: string, saved: string][] = [
  ["00701", "701"],
  ["4e5", "400000"],
  ["3/5", "2026-03-05"],
  ["NA", ""],
  ["TRUE", "1"],
  ["12345678901234567890", "1.23457E+19"],
  ["MAR1", "1-Mar"],
  ["10:30", "0.4375"],
  ["1.10", "1.1"],
];

describe("an own file that a spreadsheet saved", () => {
  test.each(REWRITTEN)("has the reference %j as %j: its row is named with what is stored", (one, saved) => {
    const { errors } = compared([line(1, saved)], [stored([one])]);
    expect(errors).toEqual([
      {
        line: 2,
        column: "reference",
        value: saved,
        code: "not_as_stored",
        message:
          `p19 has the reference ${one} here; a spreadsheet changed it. ` +
          "Restore it, or remove the column batch_id to pay the rows of this file as new ones.",
      },
    ]);
  });

  test("has errors in the rows that changed, and in no others", () => {
    const lines = [line(1, "season-3:1"), line(2, "701"), line(3, "")];
    const { errors } = compared(lines, [stored(["season-3:1", "00701", undefined])]);
    expect(errors.map(({ line: at }) => at)).toEqual([3]);
  });

  test("of a cancelled batch has them too", () => {
    const { errors, paidAlready } = compared([line(1, "701")], [stored(["00701"], { status: "CANCELLED" })]);
    expect([errors.length, paidAlready]).toEqual([1, null]);
  });
});

describe("rows of an own file whose batch pays them", () => {
  test.each([
    ["the same reference", "r-1", "r-1"],
    ["another reference", "r-1", "season-4:1"],
    ["no reference any more", "r-1", ""],
    ["a reference, where none is stored", undefined, "r-1"],
    ["no reference, as it is stored", undefined, ""],
  ])("are paid already, under %s", (_, one, given) => {
    const { errors, paidAlready } = compared([line(1, given)], [stored([one])]);
    expect(errors).toEqual([]);
    expect(paidAlready?.count).toBe(1);
    expect(paidAlready?.text).toBe(
      "PAID ALREADY: 1 of 1 row. Line 2: batch p19 (FINALIZED) has a transfer of 1.5 to " +
        `${wallet(1)}${one ? `, with the reference ${one}` : ""}.`,
    );
  });

  test.each(["PENDING", "FINALIZING", "FINALIZED"] as const)("are paid already if it is %s", (status) => {
    expect(compared([line(1, "")], [stored([undefined], { status })]).paidAlready?.count).toBe(1);
  });

  test("are not paid already if it is cancelled, if it has no such recipient, or if they name none", () => {
    const cancelled = compared([line(1, "")], [stored([undefined], { status: "CANCELLED" })]);
    const others = compared([line(2, "")], [stored([undefined])]);
    const none = compared([line(1, "", "")], []);
    expect([cancelled, others, none].map(({ paidAlready }) => paidAlready)).toEqual([null, null, null]);
  });

  test("are paid already with another amount too, as after a spreadsheet rounded it", () => {
    const rounded = line(1, "").replace("1.5", "1.49");
    expect(compared([rounded], [stored([undefined])]).paidAlready?.count).toBe(1);
  });

  test("are found by address in any letter case", () => {
    const upper = line(1, "").replace(wallet(1), `0x${wallet(1).slice(2).toUpperCase()}`);
    expect(compared([upper], [stored([undefined])]).paidAlready?.count).toBe(1);
  });
});

test("a row of a reversal is an error: its points went the other way", () => {
  const { errors } = compared([line(1, "")], [stored([undefined], { reverses: "p18" })]);
  expect(errors.map(({ message }) => message)).toEqual([
    "p19 took these points back for p18. Leave out the row.",
  ]);
});

describe("a batch that cannot be read", () => {
  const head = `${HEAD},status,counted`;
  test.each([
    ["a batch that is not there", "701", CONTRACT],
    ["a batch of another contract", "p19", OTHER],
  ])("leaves what the file says of it: %s", (_, id, contract) => {
    const rows = [
      `${line(1, "", id, contract)},FINALIZED,1.5`,
      `${line(2, "", id, contract)},PENDING,0`,
      `${line(3, "", id, contract)},CANCELLED,0`,
      `${line(4, "", id, contract)},FINALIZED,0`,
      `${line(5, "", id, contract)},FINALIZED,-5.5`,
    ];
    const { paidAlready, notes, errors } = compared(rows, [], head);
    expect(paidAlready?.count).toBe(2);
    expect(errors.map(({ message }) => message)).toEqual([
      `The file says that ${id} took these points back. Leave out the row.`,
    ]);
    expect(paidAlready?.text).toContain(`Line 2: the file says that batch ${id} pays it (FINALIZED).`);
    expect(notes).toEqual([
      "1 row was paid and taken back since, such as line 5.",
      `5 rows name batches that could not be compared, such as ${id}` +
        `${contract === OTHER ? ` of ${OTHER}` : ""}.`,
    ]);
  });
});

test("batches that an own file names are listed once, with their contract if the file has it", () => {
  const file = read([line(1, ""), line(2, ""), line(3, "", "p20", OTHER), line(4, "", "")]);
  expect(namedIn(file)).toEqual([
    { contractAddress: CONTRACT, batchId: "p19" },
    { contractAddress: OTHER, batchId: "p20" },
  ]);
});

test("another program's file names none, nor does one without the column batch_id", () => {
  expect(namedIn(read([`${wallet(1)},5,b`], "address,points,batch_id"))).toEqual([]);
  expect(namedIn(read([`${wallet(1)},5,FINALIZED`], "to_address,points,status"))).toEqual([]);
});

test("the rows that differ join the errors of the check, and it says what is paid already", () => {
  const file = read([line(1, "701"), line(2, "701")]);
  const checked = checkTable(file.table);
  const result = compareOwn(file, [stored(["00701", "00702"])]).appliedTo(checked);
  expect([checked.badRows, result.badRows]).toEqual([1, 2]);
  expect(result.errors.map(({ line: at, code }) => [at, code])).toEqual([
    [2, "not_as_stored"],
    [3, "duplicate_reference"],
    [3, "not_as_stored"],
  ]);
  expect(result.paidAlready?.text).toMatch(/^PAID ALREADY: 2 of 2 rows\. Line 2/);
  expect(result.paidAlready?.count).toBe(2);
});

test("what cannot be a batch is not looked for", () => {
  const odd = read([line(1, "", "a/b"), line(2, "", "p19", "0x12")]);
  expect(namedIn(odd)).toEqual([]);
});

test("5,000 batches are compared in any order, and the first line is said", () => {
  const count = 5000;
  const ids = Array.from({ length: count }, (_, at) => `p${at + 1}`);
  const file = read(ids.map((id, at) => line(at + 1, "701", id)));
  expect(namedIn(file).map(({ batchId }) => batchId)).toEqual(ids);
  const transferOf = (at: number) => ({ toAddress: wallet(at + 1), points: "1", reference: "00701" });
  const batches = ids.map((batchId, at) => stored([], { batchId, transfers: [transferOf(at)] }));
  const { errors, paidAlready } = compareOwn(file, batches.reverse()).appliedTo(checkedOf(count));
  expect([errors.length, paidAlready?.count]).toEqual([count, count]);
  expect(paidAlready?.text).toMatch(/^PAID ALREADY: 5,000 of 5,000 rows\. Line 2: batch p1 /);
});
