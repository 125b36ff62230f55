import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import Papa from "papaparse";
import { afterAll, describe, expect, test, vi } from "vitest";
import { columnsOfBatches, columnsOfJob } from "@/app/(console)/batches/export/batch-columns";
import { periodName } from "@/app/(console)/contracts/[contractAddress]/transfers/export/period-name";
import { receivedColumns } from "@/app/(console)/recipients/[address]/export/received-columns";
import { columnsOfBatch, columnsOfContract, correctionCsv } from "@/app/(console)/transfers-csv";
import { type CsvColumns, csvPages } from "@/app/data/csv";
import { reportText } from "@/client/cli/pay";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { log } from "@/server/kernel/log";
import type { ExportedTransfers } from "@/server/statements/export-transfers";
import { type BatchStatus, REFERENCE_PATTERN } from "@/terms/batch-terms";
import { csvCell, csvLine, withoutGuards } from "@/terms/csv-text";
import { badRowsCsv } from "@/terms/file/check-rows";
import type { Checked } from "@/terms/file/checked";
import { decodeFile } from "@/terms/file/decode-file";
import { openFile } from "@/terms/file/open-file";
import { findColumns } from "@/terms/file/rank-columns";
import { readTable } from "@/terms/file/read-table";
import { formatPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { checkText } from "@/testing/check-text";
import { LIMITS, wallet } from "@/testing/factories";
import { csvReply, downloadOrProblem } from "./csv-reply";

/** Cells of which many begin formulas, or look as if an apostrophe had been added. */
const cellTexts = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom("'", "=", "+", "-", "@", "＝", '"', ";", ",", " ", "\t", "\n", "1", "a"),
  }),
);

test("any cells survive a round trip, as soon as the apostrophes before formulas are taken away", () => {
  fc.assert(
    fc.property(fc.array(cellTexts, { minLength: 1, maxLength: 6 }), (cells) => {
      fc.pre(cells.some((cell) => cell !== ""));
      const [read] = Papa.parse<string[]>(csvLine(cells), { delimiter: ",", newline: "\r\n" }).data;
      expect(read!.map(withoutGuards)).toEqual(cells);
    }),
  );
});

const FORMULAS = [
  "=1+1",
  "+1",
  "-1+1",
  "@SUM(A1)",
  "\tx",
  "\rx",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  " =1+1",
  '"=1+1',
];
test.each(FORMULAS)("%j is not run as a formula by a spreadsheet", (cell) => {
  expect(csvCell(cell).replace(/^"/, "")).toMatch(/^'/);
});

test.each(["a;=1+1", "a;+1;-1", "a;＝1", 'a";"=1+1', "a; =1+1", "a\n=1+1", "a\r=1+1", "a;\t=1+1"])(
  "no part of %j is run as a formula, wherever semicolons or lines split it",
  (cell) => {
    const parts = csvLine(["x", cell]).split(/[;\r\n]/);
    for (const part of parts) expect(part.replaceAll(/["\s]/g, "")).not.toMatch(/^[=+\-@＝＋－＠]/);
  },
);

test("a text of any length is protected, without a search from each of its lines", () => {
  const text = `${"\n".repeat(1_000_000)}=1+1`;
  expect(csvCell(text)).toBe(`"'${"\n'".repeat(1_000_000)}=1+1"`);
});

vi.mock("server-only", () => ({}));
const logged = vi.spyOn(log(), "error").mockReturnValue();
afterAll(() => logged.mockRestore());

async function* failingPages(failsAt: number) {
  for (let page = 0; page < 3; page++) {
    if (page === failsAt) throw new DomainError("unavailable", "The database is away.");
    yield [{ n: `${page}` }];
  }
}
const browser = (cookie: string) => new Request("http://console", { headers: { cookie } });
const downloadOf = (failsAt: number) =>
  downloadOrProblem((requestId) => {
    const columns: CsvColumns<{ n: string }> = { n: ({ n }) => n };
    return csvReply(
      { name: "n.csv", columns, pages: failingPages(failsAt) },
      browser("csv=plain"),
      requestId,
    );
  });

test("an export that fails before its first row is a problem, not a file", async () => {
  const reply = await downloadOf(0);
  expect([reply.status, reply.headers.get("Content-Disposition")]).toEqual([503, null]);
  expect(await reply.json()).toMatchObject({ code: "unavailable" });
});

test("an export that fails later ends with an error, not as a short file, and is logged", async () => {
  const reply = await downloadOf(2);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow("The database is away.");
  expect(logged).toHaveBeenLastCalledWith(
    expect.objectContaining({ requestId: reply.headers.get("X-Request-Id") }),
    "a download failed after its first byte",
  );
});

test("an export whose reader leaves before its first row stops, and closes its pages", async () => {
  let isClosed = false;
  async function* pages() {
    try {
      for (;;) yield [{}];
    } finally {
      isClosed = true;
    }
  }
  const reply = await csvReply({ name: "n.csv", columns: {}, pages: pages() }, browser(""), "r");
  await reply.body!.cancel();
  await vi.waitFor(() => expect(isClosed).toBe(true));
});

test.each([
  ["", "\uFEFF"],
  ["zone=UTC; csv=excel", "\uFEFF"],
  ["csv=plain; zone=UTC", ""],
  ["xcsv=plain", "\uFEFF"],
])("a file is readable in Excel, unless the user chose plain UTF-8: %j", async (cookie, start) => {
  const columns = { label: () => "Zürich – März 東京" };
  const reply = await csvReply({ name: "n.csv", columns, pages: [[{}]] }, browser(cookie), "r");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await reply.arrayBuffer());
  expect(text).toBe(`${start}label\r\nZürich – März 東京\r\n`);
});

test("a file in plain UTF-8 has every text as it is, for programs", async () => {
  const columns = { label: ({ label }: { label: string }) => label };
  const rows = [["=1+1", "@alice", "-1", "a;=1", "'x"].map((label) => ({ label }))];
  const lines = async (cookie: string) => {
    const reply = await csvReply({ name: "n.csv", columns, pages: rows }, browser(cookie), "r");
    return (await reply.text()).split("\r\n").slice(1, -1);
  };
  expect(await lines("csv=plain")).toEqual(["=1+1", "@alice", "-1", "a;=1", "'x"]);
  expect(await lines("")).toEqual(["'=1+1", "'@alice", "-1", "a;'=1", "'x"]);
});

const [one, two] = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
];
const CONTRACT = "0x00000000000000000000000000000000000000c1";
const transfers = [
  { position: 0, toAddress: one!, points: "1.5", label: "Zürich – März 東京" },
  { position: 1, toAddress: two!, points: "1234.000000000001", label: null },
];
const exported = {
  id: "payout-1",
  pointType: "PHASE2_POINTS",
  contractAddress: CONTRACT,
  contractLabel: "Zürich",
};

async function fileOf<Row>(columns: CsvColumns<Row>, rows: Row[], cookie: string): Promise<ArrayBuffer> {
  let text = "";
  for await (const part of csvPages(columns, [rows], cookie)) text += part;
  return new TextEncoder().encode(text).buffer as ArrayBuffer;
}

const exportedRows = transfers.map((transfer) => ({
  ...({ batchId: exported.id, createdAt: "2026-03-01T00:00:00.000Z" } as ExportedTransfers),
  ...transfer,
  row: String(transfer.position + 1),
}));
const batchOf = (contractLabel: string) => ({ ...exported, contractLabel }) as ConsoleBatchDetail;
const FILES: [name: string, (cookie: string) => Promise<ArrayBuffer>][] = [
  ["one batch", (cookie) => fileOf(columnsOfBatch(batchOf("Zürich")), transfers, cookie)],
  ["a contract's batches", (cookie) => fileOf(columnsOfContract(CONTRACT), exportedRows, cookie)],
];

describe.each(FILES)("the exported transfers of %s", (_, file) => {
  test.each(["", "csv=plain"])(
    "are a new batch's rows, with a byte-order mark and without: %j",
    async (cookie) => {
      const table = readTable(decodeFile(await file(cookie)));
      const { header, map } = findColumns(table);
      expect(header).toBe(true);
      expect(table.rows.slice(1).map(({ cells }) => [cells[map.toAddress!], cells[map.points!]])).toEqual([
        [one, "1.5"],
        [two, "1234.000000000001"],
      ]);
    },
  );
});

const printableAscii = fc.oneof(
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 64 }),
  fc.string({
    unit: fc.constantFrom("'", "=", "+", "-", "@", '"', ";", ",", " ", "1"),
    minLength: 1,
    maxLength: 8,
  }),
);
const references = fc.uniqueArray(
  printableAscii.filter((text) => REFERENCE_PATTERN.test(text)),
  { minLength: 1, maxLength: 5 },
);
const anyAmount = fc.bigInt({ min: 10n ** 10n, max: 10n ** 38n - 1n }).map(formatPoints);
const OPTIONS = { contractAddress: CONTRACT, pointType: "PHASE2_POINTS" as const, limits: LIMITS };
type Paid = Pick<(typeof transfers)[number], "toAddress" | "points" | "label"> & { reference: string };
const textOf = async <Row>(columns: CsvColumns<Row>, rows: Row[]) =>
  decodeFile(await fileOf(columns, rows, ""));

/** Every export that New payout can read, with texts of people in its other columns. */
const READABLE: [name: string, (paid: Paid[], text: string) => string | Promise<string>][] = [
  [
    "a batch",
    (paid, text) =>
      textOf(
        columnsOfBatch(batchOf(text)),
        paid.map((row, position) => ({ ...row, position })),
      ),
  ],
  [
    "a contract",
    (paid, text) =>
      textOf(
        columnsOfContract(CONTRACT),
        paid.map((row) => ({ ...exportedRows[0]!, ...row, submittedBy: text, cancelReason: text })),
      ),
  ],
  ["a batch to correct", (paid) => correctionCsv({ corrects: "payout-1", transfers: paid })],
  [
    "rows with errors",
    (paid) => {
      const head = "to_address,points,reference,batch_id\r\n";
      const lines = paid.map(({ toAddress, points, reference }) =>
        csvLine([toAddress, points, reference, "b"]),
      );
      const table = readTable(head + lines.join(""));
      const errors = table.rows.slice(1).map(({ line }) => ({ line, column: "points", message: "=1+1" }));
      const below = { count: 0, points: "0", leftOut: [] };
      return badRowsCsv(table, findColumns(table), { errors, below } as unknown as Checked);
    },
  ],
];

test.each(READABLE)(
  "what the export of %s writes, New payout reads back: amounts, labels and every reference",
  async (_, file) => {
    await fc.assert(
      fc.asyncProperty(references, anyAmount, cellTexts, async (all, points, label) => {
        const paid = all.map((reference, at) => ({ toAddress: wallet(at + 1), points, label, reference }));
        const { errors, questions, transfers: read } = checkText(await file(paid, label), OPTIONS);
        expect({ errors, questions }).toEqual({ errors: [], questions: [] });
        expect(read).toEqual(paid.map(({ label: _, ...row }) => row));
      }),
    );
  },
);

test("New payout reads back every reference of a plain export that is no text of a formula and has no apostrophe", async () => {
  const plain = references.filter((all) => all.every((reference) => !/'|^=".*"$/.test(reference)));
  await fc.assert(
    fc.asyncProperty(plain, async (all) => {
      const rows = all.map((reference, at) => ({
        ...exportedRows[0]!,
        toAddress: wallet(at + 1),
        reference,
      }));
      const text = decodeFile(await fileOf(columnsOfContract(CONTRACT), rows, "csv=plain"));
      const { transfers: read } = checkText(text, OPTIONS);
      expect(read.map(({ reference }) => reference)).toEqual(all);
    }),
  );
});

test("an export that a spreadsheet saved as a workbook has the same references", () => {
  const rows = [
    ["to_address", "points", "batch_id", "reference"],
    [one!, "1.5", "b", "'@alice"],
  ];
  const read = () => ({ rows: rows.map((cells, at) => ({ line: at + 1, cells })), delimiter: null });
  const { table, loaded } = openFile(
    { sheets: [{ name: "b", isHidden: false }], isEmpty: () => false, read },
    { name: "b.xlsx" },
  );
  expect([loaded.columns.map.reference, table.rows[1]!.cells[3], table.isExact]).toEqual([3, "@alice", true]);
});

test.each([
  ["the payout's own report", "batchId,points,digest,state\nb-1,5,ab,verified\n"],
  ["that report as JSON", '[{"batchId":"b-1","points":"5","digest":"ab"}]'],
  ["the export of batches", "status,batch_id,contract_label,transfers,points\nPENDING,b-1,,2,5\n"],
])("%s is named as what it is: it has no recipients", (_, text) => {
  expect(() => readTable(text)).toThrow("The file lists batches");
});

/** Which of a reversal's amounts went where, and what has not moved. */
const MOVED: [status: BatchStatus, reverses: string | null, counted: string][] = [
  ["PENDING", null, "0"],
  ["FINALIZING", null, "0"],
  ["CANCELLED", null, "0"],
  ["FINALIZED", null, "1234.000000000001"],
  ["PENDING", "p-1", "0"],
  ["CANCELLED", "p-1", "0"],
  ["FINALIZED", "p-1", "-1234.000000000001"],
];
const NO_BALANCES = { PHASE2_POINTS: "0", PHASE2_GOLD: "0" };
type Facts = Record<"points" | "status", string> & { reverses: string | null };
/** Every file of transfers or batches, with one row. */
const COUNTED: [name: string, file: (facts: Facts) => Promise<string>][] = [
  ["a batch", (facts) => textOf(columnsOfBatch({ ...batchOf(""), ...facts } as never), [facts as never])],
  [
    "a contract",
    (facts) => textOf(columnsOfContract(CONTRACT), [{ ...exportedRows[0]!, ...facts } as never]),
  ],
  [
    "a payout with receipts",
    (facts) => {
      const columns = columnsOfContract(CONTRACT, { receipt: () => "https://…" });
      return textOf(columns, [{ ...exportedRows[0]!, ...facts } as never]);
    },
  ],
  ["batches", (facts) => textOf(columnsOfBatches(), [{ ...exported, transferCount: 1, ...facts } as never])],
  ["a recipient", (facts) => textOf(receivedColumns(one!), [{ ...facts, running: NO_BALANCES } as never])],
  ["a bulk job", (facts) => textOf(columnsOfJob(), [{ ...facts, reversesSeq: facts.reverses } as never])],
];

describe.each(COUNTED)("the export of %s", (_, file) => {
  test.each(MOVED)(
    "ends with when it was made, and the amount that has moved: %s, reverses %j, %s",
    async (status, reverses, counted) => {
      const text = await file({ points: "1234.000000000001", status, reverses });
      const { data, meta } = Papa.parse<Record<string, string>>(text.trim(), { header: true });
      expect(meta.fields!.slice(-2)).toEqual(["exported_at", "counted"]);
      expect(data).toHaveLength(1);
      expect(data[0]!.counted).toBe(counted);
      expect(Date.now() - Date.parse(data[0]!.exported_at!)).toBeGreaterThanOrEqual(0);
    },
  );
});

test.each([
  ["FINALIZED", "5.5"],
  ["PENDING", "0"],
  [null, "0"],
])("a payout's report says what each batch has moved, as CSV and as JSON: %s, %s", (status, counted) => {
  const batch = { pointType: "PHASE2_POINTS", transfers: [] };
  const parts = [{ batchId: "p.001", batch, points: "5.5", status }] as never;
  const [json] = JSON.parse(reportText("paid.json", { parts })) as Record<string, string>[];
  const { data } = Papa.parse<Record<string, string>>(reportText("paid.csv", { parts }), { header: true });
  for (const row of [json!, data[0]!]) {
    expect(Object.keys(row).slice(-2)).toEqual(["exportedAt", "counted"]);
    expect(row.counted).toBe(counted);
  }
});

/** Code that writes a file which people keep: a download, or a file of the command line. */
const WRITES =
  /\b(?:csvRoute|saveCsv|streamReply|csvLine)\(|new Report\(|Content-Disposition|createObjectURL|\sdownload=["{]/;
const ofContract = () => columnsOfContract(CONTRACT);
/** What each of them writes: the columns of a file of transfers or batches, otherwise what else it is. */
const WRITERS: Record<string, (() => CsvColumns<never>) | string> = {
  "app/(console)/access/audit/export/route.ts": "what people changed",
  "app/(console)/batches/[contractAddress]/[batchId]/receipts/route.ts":
    "proofs, as docs/verify.md checks them",
  "app/(console)/batches/batch/save-transfers.ts": () => columnsOfBatch(batchOf("")),
  "app/(console)/batches/export/route.ts": columnsOfBatches,
  "app/(console)/batches/jobs/[jobId]/export/route.ts": columnsOfJob,
  "app/(console)/batches/new/prepare/error-list.tsx": "rows of a person's file",
  "app/(console)/batches/new/prepare/source.tsx": "a template",
  "app/(console)/contracts/(list)/statements/export/route.ts": "figures of a month",
  "app/(console)/contracts/[contractAddress]/statements/export/route.ts": "figures of a month",
  "app/(console)/contracts/[contractAddress]/transfers/export/route.ts": ofContract,
  "app/(console)/payouts/[contractAddress]/[payoutId]/export/route.ts": ofContract,
  "app/(console)/recipients/[address]/export/route.ts": () => receivedColumns(one!),
  "app/(console)/snapshots/allocations/[allocationId]/files/[form]/route.ts": "claims, in other tools' forms",
  "app/(console)/snapshots/[snapshotId]/export/route.ts": "holders",
  "app/(console)/transfers-csv.ts": "rows that New payout begins with, and columns of the files above",
  "app/data/csv-reply.ts": "what the routes above give it",
  "app/data/csv.ts": "what the code above gives it",
  "app/r/[address]/[contractAddress]/[batchId]/route.ts": "a receipt",
  "app/r/wallet-claims.tsx": "a claim",
  "client/cli/pay.ts": "the report above, and rows of a person's file",
  "terms/file/check-rows.ts": "rows of a person's file",
};

test("every file that is written is known here: those of transfers or batches end with what has moved", () => {
  const sources = ["app", "client", "server", "terms"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|node_modules|\/testing\//.test(name));
  const textOfFile = (name: string) => readFileSync(name, "utf8");
  expect(sources.filter((name) => WRITES.test(textOfFile(name))).sort()).toEqual(Object.keys(WRITERS).sort());
  for (const [name, columns] of Object.entries(WRITERS))
    if (typeof columns === "function") {
      expect(Object.keys(columns()).slice(-2)).toEqual(["exported_at", "counted"]);
      expect(textOfFile(name)).toMatch(/\b(?:columnsOf\w+|receivedColumns)\(/);
    }
});

test("files number a batch's transfers from 1, as `row`: `position` begins at 0 elsewhere", () => {
  const [batch, contract] = [columnsOfBatch(batchOf("")), columnsOfContract(CONTRACT)];
  for (const columns of [batch, contract]) expect(Object.keys(columns)).toContain("row");
  for (const columns of [batch, contract]) expect(Object.keys(columns)).not.toContain("position");
});

describe("the name of a period's file has its first and its last day, and their zone", () => {
  test.each([
    ["2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", "Asia/Tokyo", "2026-03-01-to-2026-03-31-UTC"],
    ["2026-02-28T15:00:00Z", "2026-03-31T15:00:00Z", "Asia/Tokyo", "2026-03-01-to-2026-03-31-Asia-Tokyo"],
    [
      "2026-03-28T23:00:00Z",
      "2026-03-29T22:00:00Z",
      "Europe/Zurich",
      "2026-03-29-to-2026-03-29-Europe-Zurich",
    ],
    ["2026-03-01T00:00:00Z", "2026-03-01T12:30:00Z", "UTC", "2026-03-01-to-2026-03-01T12.30-UTC"],
  ])("%s to %s in %s", (from, to, zone, name) => {
    expect(periodName(from, to, zone)).toBe(name);
  });
});

test("the columns of a recipient's transfers keep their names and their order", () => {
  expect(Object.keys(receivedColumns(one!)).join()).toBe(
    "to_address,created_at,status,contract_label,contract_address,batch_id,point_type,points," +
      "points_balance,gold_balance,finalize_at,held_at,held_by,hold_reason,awaits_approval,finalized_at," +
      "cancelled_at,cancelled_by,cancel_reason,reverses,reversed_by,reversal_status,reversal_finalize_at," +
      "exported_at,counted",
  );
});
