import { expect, test } from "vitest";
import type { BulkItem } from "@/server/batches/bulk/bulk-schema";
import { csvOfItems, itemsHeader } from "./to-csv";

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

test("a report has as many cells as headings, exact amounts, and no cell that a spreadsheet would run", () => {
  const line = csvOfItems([item]);
  expect(line).toContain(`'-1+1,"'=HYPERLINK(""https://example.com"")",`);
  expect(line).toContain(",360287970189639720.000000000004,OVERTAKEN,");
  expect(line.trimEnd().split(",")).toHaveLength(itemsHeader().trimEnd().split(",").length);
});

test("a batch that the job has not come to is open", () => {
  expect(csvOfItems([{ ...item, result: null, resultAt: null }])).toContain(",OPEN,,");
});
