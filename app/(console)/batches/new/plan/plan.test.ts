import { describe, expect, test } from "vitest";
import { forecastFunds, type PartState, type Plan, uploadIdOf, uploadOfPart } from "./plan";

const parts = ["10.5", "20", "0.000000000001"].map((points) => ({ count: 1, points }));
const ready = (available: string): PartState => ({ kind: "ready", finalizeAt: "", available, review: null });
const stored = (available: string): PartState => ({
  kind: "stored",
  finalizeAt: "",
  available,
  before: true,
});
const refused: PartState = { kind: "refused", problem: { title: "", detail: "", available: "5" } };
const allReady = (available: string) => parts.map(() => ready(available));

describe("the balance of a contract after all parts", () => {
  test("is exactly what is left", () => {
    expect(forecastFunds({ parts, issuance: "ON_DEMAND" }, allReady("100"))).toEqual({
      before: "100",
      after: "69.499999999999",
      issued: "0",
      shortfall: "0",
    });
  });

  test("is topped up with what an ON_DEMAND contract lacks for all parts together", () => {
    const funds = forecastFunds({ parts, issuance: "ON_DEMAND" }, allReady("25"));
    expect(funds).toMatchObject({ after: "0", issued: "5.500000000001", shortfall: "0" });
  });

  test("may be too low for a PREFUNDED contract although each part alone would pass", () => {
    const funds = forecastFunds({ parts, issuance: "PREFUNDED" }, allReady("25"));
    expect(funds).toMatchObject({ issued: "0", shortfall: "5.500000000001" });
  });

  test("is not charged again for parts that are already stored", () => {
    const states = [stored("25"), ready("25"), ready("25")];
    const funds = forecastFunds({ parts, issuance: "PREFUNDED" }, states);
    expect(funds).toMatchObject({ after: "4.999999999999", shortfall: "0" });
  });

  test("may have more digits than any single amount, being a sum", () => {
    const large = ["9", "9"].map((digit) => ({ count: 2, points: `1${digit.repeat(26)}.5` }));
    const states = large.map(() => ready(`4${"0".repeat(26)}`));
    const funds = forecastFunds({ parts: large, issuance: "ON_DEMAND" }, states);
    expect(funds).toMatchObject({ after: "1", issued: "0" });
  });

  test("is also known from a rejection, and unknown before the first reply", () => {
    const waiting: PartState[] = parts.map(() => ({ kind: "waiting" }));
    expect(forecastFunds({ parts, issuance: "PREFUNDED" }, waiting)).toBeNull();
    const states = waiting.with(1, refused);
    expect(forecastFunds({ parts, issuance: "PREFUNDED" }, states)?.before).toBe("5");
  });
});

describe("the upload of a file", () => {
  const plan = { contractAddress: "0xAb", reference: "payout", fileName: "a.csv", parts } as Plan;

  test("is the same when the file is chosen again, and another one under another reference or contract", () => {
    expect(uploadIdOf(plan)).toBe(
      uploadIdOf({ ...plan, contractAddress: "0xab", fileName: "copy.csv" } as Plan),
    );
    expect(uploadIdOf({ ...plan, reference: "payout-2" })).not.toBe(uploadIdOf(plan));
    expect(uploadIdOf({ ...plan, contractAddress: "0xcd" })).not.toBe(uploadIdOf(plan));
  });

  test("links the parts of several, and not a single one, which is submitted without a hold", () => {
    expect(uploadOfPart(plan, 2).upload).toMatchObject({ part: 3, partCount: 3, fileName: "a.csv" });
    expect(uploadOfPart({ ...plan, parts: parts.slice(0, 1) }, 0)).toEqual({});
  });
});
