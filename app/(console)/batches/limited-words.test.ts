import { expect, test } from "vitest";
import { limitedSort, limitedTotals, lookedAt } from "./limited-words";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const day = new Date(0);

test.each([
  [{}, "the newest 10,000"],
  [{ dueFrom: day }, "the 10,000 due last"],
  [{ finalizedTo: day }, "the last 10,000 finalized"],
  [{ recipient: address, dueFrom: day }, "the newest 10,000 batches that pay this recipient"],
  [{ review: "unusual" as const, finalizedTo: day }, "the newest 10,000 unusual batches"],
  [{ review: "unusual" as const, recipient: address }, "the newest 10,000 batches that pay this recipient"],
])("a limited list of %j says what it looked at", (params, words) => {
  expect(lookedAt(params)).toBe(words);
});

test("a search does not claim that more than 10,000 batches match", () => {
  expect(limitedSort({ review: "unusual" })).toBe(
    "Only the newest 10,000 unusual batches were searched. Older ones may match too. Narrow the creation time to search those. The export has every match, sorted by creation time.",
  );
  expect(limitedSort({})).toBe(
    "More than 10,000 batches match. Only the newest 10,000 are sorted and shown. Add filters to sort all of them. The export has every match, sorted by creation time.",
  );
});

test("totals of a part say of which part", () => {
  expect(limitedTotals({ contract: address })).toBe("Totals of the newest 10,000 only:");
  expect(limitedTotals({ finalizedFrom: day })).toBe("Totals of the last 10,000 finalized only:");
});
