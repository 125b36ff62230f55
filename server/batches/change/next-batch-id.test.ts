import { expect, test } from "vitest";
import { nextBatchId } from "./next-batch-id";

const CHARS_MAX = 64;

test.each([
  ["payout", "payout-2"],
  ["payout-2", "payout-3"],
  ["payout-9", "payout-10"],
  ["payout-2026-03-14", "payout-2026-03-14-2"],
  ["payout-2026-03-14-2", "payout-2026-03-14-3"],
])("after %s comes %s", (id, next) => {
  expect(nextBatchId(id, CHARS_MAX)).toBe(next);
});

test.each([
  ["payout-2026-03", "payout-2026-03-2"],
  ["payout-2026-12", "payout-2026-12-2"],
  ["payout-2026-03-2", "payout-2026-03-3"],
  ["run-07", "run-07-2"],
])("the month or the padded number of %s is kept: %s", (id, next) => {
  expect(nextBatchId(id, CHARS_MAX)).toBe(next);
});
