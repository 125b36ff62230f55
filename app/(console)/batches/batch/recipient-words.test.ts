import { expect, test } from "vitest";
import { recipientWords } from "./recipient-words";

test.each([
  [1, 1, "Its recipient is new to this contract."],
  [1, 0, "Its recipient was paid by this contract before."],
  [3, 0, "All 3 recipients were paid by this contract before."],
  [3, 3, "All 3 recipients are new to this contract."],
  [10, 1, "1 of 10 recipients is new to this contract."],
  [2000, 1999, "1,999 of 2,000 recipients are new to this contract."],
])("of %i recipients %i are new, in words", (total, fresh, words) => {
  expect(recipientWords({ total, new: fresh })).toBe(words);
});
