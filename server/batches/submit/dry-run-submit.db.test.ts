import { describe, expect, test } from "vitest";
import { storedSums } from "@/testing/expect-refusal";
import { type BatchOptions, batchOf, LIMITS } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { type DomainError, toProblem } from "../../kernel/values/problems";
import { cancelBatch } from "../change/cancel-batch";
import { findBatch } from "../list/get-batch";
import { dryRunSubmit } from "./dry-run-submit";
import { submitBatch } from "./submit-batch";
import type { SubmitBatchInput } from "./submit-schema";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const dryRun = (batch: SubmitBatchInput) => dryRunSubmit(context(), LIMITS, batch);
const real = (batch: SubmitBatchInput) => submitBatch(context(), LIMITS, batch);
const rows = [
  [1, "10.5"],
  [2, "2.250"],
] as const;
const batch = (contract: string, options: BatchOptions = {}) =>
  batchOf(contract, rows, { secondsToFinalize: 3600, ...options });
describe("a dry run", () => {
  test("reports what the submit then does, and stores nothing", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "100" });
    const before = await storedSums(db);
    const predicted = await dryRun(batch(contract, { batchId: "b" }));
    expect(await storedSums(db)).toEqual(before);
    expect(predicted).toMatchObject({
      success: true,
      dryRun: true,
      batchId: "b",
      replayed: false,
      pointType: "PHASE2_POINTS",
      points: "12.75",
      transferCount: 2,
      secondsToFinalize: 3600,
      availableBefore: "100",
      availableAfter: "87.25",
      issued: "0",
    });
    await real(batch(contract, { batchId: "b" }));
    const found = await findBatch(context(), contract, "b");
    expect(found.digest.toString("hex")).toBe(predicted.digest);
    expect(found.points).toBe(`${predicted.points}0000000000`);
    expect(Math.abs(found.finalizeAt.getTime() - Date.parse(predicted.finalizeAt))).toBeLessThan(5000);
    expect((await balance(contract)).available).toBe(predicted.availableAfter);
  });

  test("reports that an ON_DEMAND contract would be issued exactly what it lacks", async () => {
    const contract = await newContract();
    expect(await dryRun(batch(contract))).toMatchObject({
      batchId: null,
      availableBefore: "0",
      issued: "12.75",
      availableAfter: "0",
    });
    await submit(batch(contract, { batchId: "b" }));
    await db.sql`update accounts set earned = earned + 5 where address = decode(${contract.slice(2)}, 'hex') and point_type = 'PHASE2_POINTS'`;
    const predicted = await dryRun(batch(contract));
    await db.sql`update accounts set earned = earned - 5 where address = decode(${contract.slice(2)}, 'hex') and point_type = 'PHASE2_POINTS'`;
    expect(predicted).toMatchObject({ availableBefore: "5", issued: "7.75", availableAfter: "0" });
  });

  test("counts received, sent and pending points of its own point type only", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "100" });
    await submit(await newContract(), [[contract, "10"]]);
    await submit(contract, [[1, "30"]]);
    await finalize();
    await submit(contract, [[1, "5.5"]], { secondsToFinalize: 3600 });
    expect(await dryRun(batch(contract))).toMatchObject({ availableBefore: "74.5", availableAfter: "61.75" });
    await expect(dryRun(batch(contract, { pointType: "PHASE2_GOLD" }))).rejects.toMatchObject({
      options: { extra: { available: "0", asked: "12.75" } },
    });
  });

  test("reports a batch that is already stored, with its due time", async () => {
    const contract = await newContract();
    await submit(batch(contract, { batchId: "b" }));
    const found = await findBatch(context(), contract, "b");
    expect(await dryRun(batch(contract, { batchId: "b" }))).toMatchObject({
      replayed: true,
      issued: "0",
      availableBefore: "0",
      availableAfter: "0",
      finalizeAt: found.finalizeAt.toISOString(),
    });
  });

  test.each([
    ["insufficient_points", { issuance: "PREFUNDED", granted: "12.749999999999" } as const, {}],
    ["batch_id_conflict", {}, { secondsToFinalize: 3601 }],
    ["batch_cancelled", {}, {}],
  ])("is refused like the submit: %s", async (code, options, change) => {
    const contract = await newContract(options);
    if (code !== "insufficient_points") await submit(batch(contract, { batchId: "b" }));
    if (code === "batch_cancelled") await cancelBatch(context(), { contractAddress: contract, batchId: "b" });
    const sent = batch(contract, { batchId: "b", ...change });
    const predicted = await dryRun(sent).catch((error: Error) => error);
    const done = await real(sent).catch((error: Error) => error);
    expect(predicted).toMatchObject({ code });
    expect(toProblem(predicted as DomainError, "")).toEqual(toProblem(done as DomainError, ""));
  });

  test("is refused for an unregistered contract", async () => {
    await expect(dryRun(batch(`0x${"9".repeat(40)}`))).rejects.toMatchObject({ code: "contract_not_found" });
  });
});
