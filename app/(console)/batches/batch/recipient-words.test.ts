import { expect, test } from "vitest";
import { recipientSummary } from "./recipient-words";

test.each([
  [1, 1, "The recipient is new to this contract."],
  [1, 0, "This contract has paid the recipient before."],
  [3, 0, "This contract has paid all 3 recipients before."],
  [3, 3, "All 3 recipients are new to this contract."],
  [10, 1, "1 of 10 recipients (10%) is new to this contract."],
  [2000, 19, "19 of 2,000 recipients (less than 1%) are new to this contract."],
  [2000, 1999, "1,999 of 2,000 recipients (99%) are new to this contract."],
])("%i recipients, %i of them new: %s", (total, fresh, summary) => {
  expect(recipientSummary({ total, new: fresh, percent: Math.floor((100 * fresh) / total) })).toBe(summary);
});
