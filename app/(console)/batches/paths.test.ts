import { expect, test } from "vitest";
import { indexOfBatch } from "./paths";

test("a link's batch is found in the list whatever the letter case of its address, but not of its ID", () => {
  const batch = { contractAddress: `0x${"aB".repeat(20)}`, id: "payout-1" };
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/payout-1`)).toBe(0);
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/Payout-1`)).toBe(-1);
  expect(indexOfBatch([batch], null)).toBe(-1);
});
