import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { LIMITS, wallet } from "@/testing/factories";
import { type SheetSpec, writeWorkbook } from "@/testing/write-workbook";
import type { Client } from "../src/create-client";
import { compareNamed } from "./compare-named";
import { type FileOptions, faultsOf, readPayout } from "./read-file";
import { Progress } from "./terminal";

const folder = mkdtempSync(join(tmpdir(), "read-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS: SheetSpec["rows"] = [
  ["address", "amount"],
  [wallet(1), { stored: "5" }],
];

const TYPE = { type: "PHASE2_POINTS" } as const;

function readText(text: string) {
  const path = join(folder, "rows.csv");
  writeFileSync(path, text);
  return readPayout(path, TYPE, LIMITS);
}

/** What is read of a workbook, or why it is not. */
async function read(sheets: SheetSpec[], options: Partial<FileOptions> = {}): Promise<string> {
  const path = join(folder, "payout.xlsx");
  writeFileSync(path, writeWorkbook(sheets));
  return readPayout(path, { ...TYPE, ...options }, LIMITS).then(
    ({ checked }) => checked.points,
    ({ message }: Error) => message,
  );
}

describe("the sheets of a workbook are named", () => {
  const sheets = [
    { name: "May", rows: ROWS },
    { name: "Ju\u202eni\u001b", rows: ROWS },
    { name: "Old", rows: [], isHidden: true },
  ];

  test("with those that are hidden, and no control character reaches the terminal", async () => {
    const list = 'Choose a sheet with --sheet: "May", "Ju⟨U+202E⟩ni⟨U+001B⟩", "Old" (hidden).';
    expect(await read(sheets)).toBe(`payout.xlsx: ${list}`);
    expect(await read(sheets, { sheet: "a\u001b[2J" })).toBe(
      `payout.xlsx: There is no sheet "a⟨U+001B⟩[2J". ${list}`,
    );
  });

  test("as they are chosen, by the name in the file or the one that is shown", async () => {
    expect(await read(sheets, { sheet: "Ju⟨U+202E⟩ni⟨U+001B⟩" })).toBe("5");
    expect(await read(sheets, { sheet: "Ju\u202eni\u001b" })).toBe("5");
    expect(await read(sheets, { sheet: "Old" })).toMatch("The sheet has no rows. Choose another one.");
  });

  test("up to a bound", async () => {
    const long = "x".repeat(50_000);
    const many = Array.from({ length: 150 }, (_, at) => ({ name: `${at} ${long}`, rows: ROWS }));
    expect((await read(many)).length).toBeLessThan(2000);
  });
});

test("the columns of a file are named in a bounded length, without its control characters", async () => {
  const head = Array.from({ length: 24 }, (_, at) => `${at}_x001b_[2J${"x".repeat(900)}`);
  const message = await read([{ name: "S", rows: [head, head.map(() => "y")] }]);
  expect(message).toMatch(
    /^payout\.xlsx: No column has addresses\. Add one to the file, or choose one\. Add --address-column with one of "0⟨U\+001B⟩\[2Jx+/,
  );
  expect(message.length).toBeLessThan(2000);
  const many = Array.from({ length: 5000 }, (_, at) => `n${at}\u009b`);
  await expect(readText(`${many.join()}\nx\n`)).rejects.toThrow(/one of "n0⟨U\+009B⟩", "n1⟨.{0,400}$/);
});

test("a file without amounts is refused as such, with how to choose a column", async () => {
  await expect(readText(`wallet,percentage\n${wallet(1)},40%\n`)).rejects.toThrow(
    /^rows\.csv: No column has amounts, unless “percentage” does\. .* Add --amount-column with one of/,
  );
});

test("an export's rows that reversals have taken back since are not paid already", async () => {
  const transfers = [wallet(1), wallet(2)].map((toAddress) => ({ toAddress, points: "5" }));
  const reversals = ["FINALIZED", "PENDING"].map((status) => ({ id: status, status }));
  const stored: Record<string, object> = {
    p1: { status: "FINALIZED", transfers, reversals },
    FINALIZED: { transfers: transfers.slice(0, 1) },
  };
  const client = { getBatch: async (id: string) => stored[id] } as unknown as Client;
  const read = await readText(`to_address,points,batch_id\n${wallet(1)},5,p1\n${wallet(2)},6,p1\n`);
  const { signal } = new AbortController();
  const { checked } = await compareNamed(read, client, wallet(9), new Progress(), signal);
  expect(checked.paidAlready?.text).toMatch(/^PAID ALREADY: 1 of 2 rows\. Line 3/);
  expect(checked.notes).toContain("1 row was paid and taken back since, such as line 2.");
});

test("a proposed value that changes nothing else is named with its option", async () => {
  const { checked } = await readText(`[{"address":"${wallet(1)}","amount":531874998.31000000236}]`);
  expect(checked.notes).toContain("To apply the proposed values: --fix decimals");
});

test.each([
  ["errors", "x"],
  ["a question about the amounts", '"1,234"'],
])(
  "a file with %s is said to be read from which columns, and which others have numbers",
  async (_, amount) => {
    const text = `wallet,days,reward\n${wallet(1)},180,${amount}\n${wallet(2)},90,"2,500"\n`;
    const faults = faultsOf(await readText(text), TYPE);
    expect(faults).toContain("Addresses from “wallet”, amounts from “reward” (column 3).");
    expect(faults).toContain("Not read: the numbers in “days” (column 2).");
  },
);

test.each(["[[]]", "[[], []]", "[{}]", "{}", "[]"])("JSON has no values: %s", async (text) => {
  await expect(readText(text)).rejects.toThrow(/No rows found|The rows have no values/);
});
