import { expect, test } from "vitest";
import { compareExportPath, comparePath, indexOfBatch } from "./paths";

test("a link's batch is found in the list whatever the letter case of its address, but not of its ID", () => {
  const batch = { contractAddress: `0x${"aB".repeat(20)}`, id: "payout-1" };
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/payout-1`)).toBe(0);
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/Payout-1`)).toBe(-1);
  expect(indexOfBatch([batch], null)).toBe(-1);
});

const BATCH = { contractAddress: `0x${"ab".repeat(20)}`, id: "payout-2" };

test.each([
  [comparePath(BATCH), ""],
  [comparePath(BATCH, "payout-1"), "?with=payout-1"],
  [comparePath(BATCH, "payout-1", "removed"), "?with=payout-1&show=removed"],
  [comparePath(BATCH, undefined, "removed"), "?show=removed"],
  [comparePath(BATCH, "a b&c"), "?with=a+b%26c"],
])("a link to a comparison keeps what is shown: %s", (path, query) => {
  expect(path).toBe(`/batches/${BATCH.contractAddress}/payout-2/compare${query}`);
});

test("the CSV of a comparison has the differences that are shown", () => {
  expect(compareExportPath(BATCH, "payout-1", "added")).toMatch(
    /\/payout-2\/compare\/export\?with=payout-1&show=added$/,
  );
});
