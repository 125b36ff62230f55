import { expect, test } from "vitest";
import { toFieldErrors } from "@/server/kernel/to-domain-error";
import type { BatchLimits } from "../../kernel/batch-limits";
import { type RowError, rowRules } from "./row-rules";
import { consoleSubmitInput, putBatchInput, submitBatchInput } from "./submit-schema";

const LIMITS: BatchLimits = {
  minimumPoints: { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" },
  transfersMax: 9,
  minimumFinalizeSeconds: 60,
  defaultFinalizeSeconds: 600,
  zeroAddressAllowed: false,
};
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const wallet = (n: number) => `0x${String(n).padStart(40, "0")}`;
const row = (toAddress: unknown, points: unknown = "1") => ({ toAddress, points });
const batch = (transfers: unknown, change: object = {}) => ({
  contractAddress: CONTRACT,
  pointType: "PHASE2_POINTS",
  transfers,
  ...change,
});

function errorsOf(body: unknown): string[] {
  const parsed = submitBatchInput(LIMITS).safeParse(body);
  return parsed.success
    ? []
    : toFieldErrors(parsed.error.issues).map(({ pointer, code }) => `${pointer} ${code}`);
}

test("all errors of all rows are reported together, along with those of the batch", () => {
  const rows = [
    row("0x12"),
    row(CONTRACT.replace("5aA", "5AA"), "1e3"),
    row(wallet(1), "0.009"),
    row(`0x${CONTRACT.slice(2).toUpperCase()}`),
    row(wallet(0)),
    row(wallet(7)),
    row(wallet(1)),
    row(wallet(8), 5),
    row(9, "x"),
  ];
  expect(errorsOf(batch(rows, { secondsToFinalize: 1.5 })).sort()).toEqual(
    [
      "/secondsToFinalize invalid_type",
      "/secondsToFinalize out_of_range",
      "/transfers/0/toAddress invalid_address",
      "/transfers/1/points invalid_points",
      "/transfers/1/toAddress invalid_checksum",
      "/transfers/2/points points_below_minimum",
      "/transfers/3/toAddress destination_is_contract",
      "/transfers/4/toAddress destination_is_zero",
      "/transfers/6/toAddress duplicate_destination",
      "/transfers/7/points invalid_type",
      "/transfers/8/points invalid_points",
      "/transfers/8/toAddress invalid_type",
    ].sort(),
  );
});

test.each([
  ["an object with a length instead of rows", { length: 1, 0: row("x") }, ["/transfers invalid_type"]],
  ["too many rows, which are not checked", Array(10).fill(row("x")), ["/transfers out_of_range"]],
])("%s: the error is reported, and nothing breaks", (_, transfers, errors) => {
  expect(errorsOf(batch(transfers))).toEqual(errors);
});

test("all ways to submit use the same rules", () => {
  for (const input of [putBatchInput, consoleSubmitInput]) {
    const parsed = input(LIMITS).safeParse({ ...batch([row(wallet(0))]), batchId: "b" });
    expect(toFieldErrors(parsed.error!.issues)).toMatchObject([{ code: "destination_is_zero" }]);
    expect(input(LIMITS).safeParse({ ...batch([row(wallet(1))]), batchId: "b" }).success).toBe(true);
    expect(input(LIMITS).safeParse(batch([row(wallet(1))])).success).toBe(false);
  }
});

test("each duplicate destination is reported with the first row that has it", () => {
  const errors: RowError[] = [];
  const { checkDestination, checkPoints } = rowRules({
    contractAddress: "",
    pointType: undefined,
    limits: LIMITS,
    report: (error) => errors.push(error),
  });
  for (const [at, to] of [wallet(3), wallet(4), `0X${"3".repeat(40)}`, wallet(4), wallet(3)].entries()) {
    checkDestination(at, to);
    checkPoints(at, "0.000000000001");
  }
  expect(errors.map(({ row: at, code, firstRow }) => [at, code, firstRow])).toEqual([
    [2, "invalid_address", undefined],
    [3, "duplicate_destination", 1],
    [4, "duplicate_destination", 0],
  ]);
  for (const { detail } of errors) expect(detail).toMatch(/\w+ \w+/);
});
