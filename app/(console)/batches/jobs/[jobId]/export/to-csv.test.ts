import { expect, test } from "vitest";
import type { BulkItem } from "@/server/batches/bulk/schema";
import { csvPages } from "../../../../../data/csv";
import { REPORT_COLUMNS } from "./to-csv";

const item: BulkItem = {
  position: 0,
  contractAddress: "0x00000000000000000000000000000000000000c1",
  contractLabel: '=HYPERLINK("https://example.com")',
  batchId: "-1+1",
  pointType: "PHASE2_POINTS",
  points: "360287970189639720.000000000004",
  transferCount: 2,
  result: "OVERTAKEN",
  resultAt: "2026-03-01T00:00:02.000Z",
  why: "CANCELLED",
  whyBy: "staff:@bob@example.com",
  whyAt: "2026-03-01T00:00:01.000Z",
};

async function reportOf(reported: BulkItem): Promise<string[]> {
  async function* pages() {
    yield [reported];
  }
  let report = "";
  for await (const part of csvPages(REPORT_COLUMNS, pages())) report += part;
  return report.trimEnd().split("\r\n");
}

test("a report has as many cells as headings, exact amounts, and no cell that a spreadsheet would run", async () => {
  const [headings, line] = await reportOf(item);
  expect(line).toContain(`'-1+1,"'=HYPERLINK(""https://example.com"")",`);
  expect(line).toContain(",360287970189639720.000000000004,OVERTAKEN,");
  expect(line!.split(",")).toHaveLength(headings!.split(",").length);
});

test("a batch that the job has not processed is open", async () => {
  expect((await reportOf({ ...item, result: null, resultAt: null }))[1]).toContain(",OPEN,,");
});
