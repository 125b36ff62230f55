import { describe, expect, test } from "vitest";
import { toFieldErrors } from "@/server/kernel/to-domain-error";
import { putBatchInput, submitBatchInput } from "../../batches/submit/submit-schema";
import type { BatchLimits } from "../batch-limits";

const LIMITS: BatchLimits = {
  minimumPoints: { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" },
  transfersMax: 5,
  minimumFinalizeSeconds: 60,
  defaultFinalizeSeconds: 600,
  zeroAddressAllowed: false,
};
const to = (n: number) => `0x${String(n + 1).padStart(40, "0")}`;
const BATCH = {
  contractAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  pointType: "PHASE2_POINTS",
  transfers: [{ toAddress: to(0), points: "1" }],
};
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ toAddress: to(n), points: "1" }));

function errorsOf(change: object, limits = LIMITS): string[] {
  const parsed = submitBatchInput(limits).safeParse({ ...BATCH, ...change });
  return parsed.success
    ? []
    : toFieldErrors(parsed.error.issues).map(({ pointer, code }) => `${pointer} ${code}`);
}
const points = (amount: string, pointType = "PHASE2_POINTS") =>
  errorsOf({ pointType, transfers: [{ toAddress: to(0), points: amount }] });

describe("a batch at its limits", () => {
  test("accepts the minimum amount of each type, and nothing below it", () => {
    expect(points("0.01")).toEqual([]);
    expect(points("0.010000")).toEqual([]);
    expect(points("0.009999999999")).toEqual(["/transfers/0/points points_below_minimum"]);
    expect(points("0.000001", "PHASE2_GOLD")).toEqual([]);
    expect(points("0.000000999999", "PHASE2_GOLD")).toEqual(["/transfers/0/points points_below_minimum"]);
  });

  test("accepts the maximum number of rows, and not one more", () => {
    expect(errorsOf({ transfers: rows(5) })).toEqual([]);
    expect(errorsOf({ transfers: rows(6) })).toEqual(["/transfers out_of_range"]);
  });

  test.each([60, 600, null, undefined])("accepts %s seconds to finalize", (secondsToFinalize) => {
    expect(errorsOf({ secondsToFinalize })).toEqual([]);
  });
  test.each([59, 601, 0])("rejects %s seconds as out of range", (secondsToFinalize) => {
    expect(errorsOf({ secondsToFinalize })).toEqual(["/secondsToFinalize out_of_range"]);
  });

  test("uses the configured limits", () => {
    expect(errorsOf({ secondsToFinalize: 0 }, { ...LIMITS, minimumFinalizeSeconds: 0 })).toEqual([]);
    expect(errorsOf({ transfers: rows(6) }, { ...LIMITS, transfersMax: 6 })).toEqual([]);
  });
});

test("no minimum applies when the point type is unknown", () => {
  expect(points("0.000000000001", "GOLD")).toEqual(["/pointType invalid_value"]);
});

test("only PUT accepts an ID", () => {
  expect(errorsOf({ batchId: "mine" })).toEqual(["/batchId unknown_field"]);
  expect(putBatchInput(LIMITS).safeParse({ ...BATCH, batchId: "mine" }).success).toBe(true);
  expect(putBatchInput(LIMITS).safeParse(BATCH).success).toBe(false);
});
