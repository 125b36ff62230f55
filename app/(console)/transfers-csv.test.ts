import { describe, expect, test } from "vitest";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { ExportedTransfers } from "@/server/statements/export-transfers";
import { type CsvColumns, csvPages, csvStart } from "../data/csv";
import { decodeFile } from "./batches/new/csv/decode-file";
import { findColumns } from "./batches/new/csv/map-columns";
import { readTable } from "./batches/new/csv/read-table";
import { columnsOfBatch, columnsOfContract } from "./transfers-csv";

const [one, two] = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
];
const CONTRACT = "0x00000000000000000000000000000000000000c1";
const sent = [
  { position: 0, toAddress: one!, points: "1.5", label: "Zürich – März 東京" },
  { position: 1, toAddress: two!, points: "1234.000000000001", label: null },
];
const batch = {
  id: "payout-1",
  pointType: "PHASE2_POINTS",
  contractAddress: CONTRACT,
  contractLabel: "Zürich",
};

async function fileOf<Row>(columns: CsvColumns<Row>, rows: Row[], cookie: string): Promise<ArrayBuffer> {
  let text = csvStart(cookie);
  for await (const part of csvPages(columns, [rows])) text += part;
  return new TextEncoder().encode(text).buffer as ArrayBuffer;
}

const FILES: [name: string, (cookie: string) => Promise<ArrayBuffer>][] = [
  ["one batch", (cookie) => fileOf(columnsOfBatch(batch as ConsoleBatchDetail), sent, cookie)],
  [
    "a contract's batches",
    (cookie) =>
      fileOf(
        columnsOfContract(CONTRACT),
        sent.map((transfer) => ({
          batch: {
            batchId: batch.id,
            pointType: batch.pointType,
            createdAt: "2026-03-01T00:00:00.000Z",
          } as ExportedTransfers,
          transfer,
          position: transfer.position + 1,
        })),
        cookie,
      ),
  ],
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

  test("name their batch and contract in each row", async () => {
    const [names, ...rows] = readTable(decodeFile(await file(""))).rows.map(({ cells }) => cells);
    for (const cells of rows)
      expect([cells[names!.indexOf("batch_id")], cells[names!.indexOf("contract_address")]]).toEqual([
        "payout-1",
        CONTRACT,
      ]);
  });
});
