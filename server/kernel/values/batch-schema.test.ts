import { expect, test } from "vitest";
import { toFieldErrors } from "@/server/kernel/to-domain-error";
import { submitBatchInput } from "../../batches/submit/submit-schema";
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
const worth = (points: string, pointType = "PHASE2_POINTS") => ({
  pointType,
  transfers: [{ toAddress: to(0), points }],
});
const BELOW = "/transfers/0/points points_below_minimum";
const OUT_OF_RANGE = "/secondsToFinalize out_of_range";

test.each<[what: string, change: object, error?: string]>([
  ["the minimum of points", worth("0.01")],
  ["the minimum with zeros", worth("0.010000")],
  ["less than the minimum of points", worth("0.009999999999"), BELOW],
  ["the minimum of gold", worth("0.000001", "PHASE2_GOLD")],
  ["less than the minimum of gold", worth("0.000000999999", "PHASE2_GOLD"), BELOW],
  ["an unknown type, which has no minimum", worth("0.000000000001", "GOLD"), "/pointType invalid_value"],
  ["as many rows as allowed", { transfers: rows(5) }],
  ["one row more", { transfers: rows(6) }, "/transfers out_of_range"],
  ["the shortest delay", { secondsToFinalize: 60 }],
  ["the longest delay", { secondsToFinalize: 600 }],
  ["null as delay", { secondsToFinalize: null }],
  ["no delay", { secondsToFinalize: undefined }],
  ["a shorter delay", { secondsToFinalize: 59 }, OUT_OF_RANGE],
  ["a longer delay", { secondsToFinalize: 601 }, OUT_OF_RANGE],
  ["0 as delay", { secondsToFinalize: 0 }, OUT_OF_RANGE],
  ["an ID, which only PUT accepts", { batchId: "mine" }, "/batchId unknown_field"],
])("a batch with %s", (_what, change, error) => {
  expect(errorsOf(change)).toEqual(error ? [error] : []);
});
