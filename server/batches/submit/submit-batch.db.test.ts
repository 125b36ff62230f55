import { describe, expect, test } from "vitest";
import { grantPoints } from "@/server/ledger/issuances";
import { answerStatement } from "@/testing/answer-statement";
import { refusalOf, storedSums } from "@/testing/expect-refusal";
import { batchOf, LIMITS, testContext, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { findBatch, findTransfers } from "../list/get-batch";
import { submitBatch } from "./submit-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

describe("a submitted batch", () => {
  test("is stored in the order sent, and its points are reserved", async () => {
    const contract = await newContract();
    const rows = [
      [9, "0.01"],
      [3, "10.50"],
      [7, "2"],
    ] as const;
    const batchId = await submit(contract, rows, { secondsToFinalize: 3600 });
    expect(batchId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const batch = await findBatch(context(), contract, batchId);
    expect(batch).toMatchObject({ status: "PENDING", transferCount: 3, waitSeconds: 3600, updatedAt: null });
    expect(Number(batch.points)).toBe(12.51);
    expect(batch.finalizeAt.getTime() - batch.createdAt.getTime()).toBe(3_600_000);
    expect(await findTransfers(context(), batch)).toEqual([
      { toAddress: wallet(9), points: "0.01" },
      { toAddress: wallet(3), points: "10.5" },
      { toAddress: wallet(7), points: "2" },
    ]);
    expect(await balance(contract)).toEqual({
      available: "0",
      pendingSent: "12.51",
      earnedCumulative: "12.51",
      receivedCumulative: "0",
      finalizedSentCumulative: "0",
    });
    expect((await balance(wallet(3))).receivedCumulative).toBe("0");
  });

  test("waits for the default time when none is sent", async () => {
    const contract = await newContract();
    for (const secondsToFinalize of [null, undefined]) {
      const batch = { ...batchOf(contract, [[1, "1"]]), secondsToFinalize };
      const { waitSeconds } = await findBatch(context(), contract, await submit(batch));
      expect(waitSeconds).toBe(86_400);
    }
  });

  test("can have 2,000 rows of the largest amount, with a total of more than 26 digits", async () => {
    const contract = await newContract();
    const most = `${"9".repeat(26)}.${"9".repeat(12)}`;
    const rows = Array.from({ length: 2000 }, (_, i) => [i + 100_000, most] as const);
    const batchId = await submit(contract, rows);
    const batch = await findBatch(context(), contract, batchId);
    expect(batch.points).toBe("199999999999999999999999999999.999999998000");
    expect(await findTransfers(context(), batch)).toHaveLength(2000);
    expect((await balance(contract)).pendingSent).toBe("199999999999999999999999999999.999999998");
  });

  test("is dated when it is stored, not when its transaction began, so that readers in between miss nothing", async () => {
    const contract = await newContract();
    const read = await db.sql.begin(async (tx) => {
      await tx`select now()`;
      await new Promise((resolve) => setTimeout(resolve, 5));
      const [clock] = await db.sql<
        { ms: number }[]
      >`select floor(extract(epoch from now()) * 1000)::float8 as ms`;
      const batch = batchOf(contract, [[1, "1"]], { batchId: "b" });
      await submitBatch(testContext({ ...db, sql: tx as never }), LIMITS, batch);
      return clock!.ms;
    });
    const { createdAt } = await findBatch(context(), contract, "b");
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(read);
  });
});

describe("an ON_DEMAND contract", () => {
  test("is issued only its shortfall, separately for each point type", async () => {
    const [sender, receiver] = [await newContract(), await newContract()];
    await submit(sender, [[receiver, "100"]], { batchId: "fund" });
    await finalize();
    await submit(receiver, [[1, "30"]]);
    expect(await balance(receiver)).toMatchObject({ available: "70", earnedCumulative: "0" });
    await submit(receiver, [[1, "100"]]);
    expect(await balance(receiver)).toMatchObject({
      available: "0",
      pendingSent: "130",
      earnedCumulative: "30",
    });
    await submit(receiver, [[1, "5"]], { pointType: "PHASE2_GOLD" });
    expect((await balance(receiver, "PHASE2_GOLD")).earnedCumulative).toBe("5");
    expect((await balance(receiver)).earnedCumulative).toBe("30");
    await finalize();
    await submit(receiver, [[1, "10"]]);
    expect(await balance(receiver)).toMatchObject({
      earnedCumulative: "40",
      finalizedSentCumulative: "130",
    });
  });
});

describe("a PREFUNDED contract", () => {
  test("can send all it has, to the last 10⁻¹² point, and nothing more", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "10.000000000001" });
    await submit(contract, [[1, "10"]]);
    const before = await storedSums(db);
    const error = await refusalOf(
      submit(contract, [
        [1, "0.02"],
        [2, "0.01"],
      ]),
    );
    expect(error.code).toBe("insufficient_points");
    expect(error.message).toBe(
      "The batch needs 0.03 PHASE2_POINTS, but the contract has only 0.000000000001 available.",
    );
    expect(error.options.extra).toEqual({ available: "0.000000000001", asked: "0.03" });
    expect(await storedSums(db)).toEqual(before);
  });

  test("has no points of a type that it was never granted", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "5" });
    const error = await refusalOf(submit(contract, [[1, "1"]], { pointType: "PHASE2_GOLD" }));
    expect(error.options.extra).toEqual({ available: "0", asked: "1" });
  });

  test("can send a refused batch again later under the same ID", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "5" });
    const batch = batchOf(contract, [[1, "6"]], { batchId: "later" });
    expect((await refusalOf(submit(batch))).code).toBe("insufficient_points");
    await grantPoints(context("ops"), {
      contractAddress: contract,
      pointType: "PHASE2_POINTS",
      points: "1",
    });
    expect(await submitBatch(context(), LIMITS, batch)).toEqual({ batchId: "later", replayed: false });
    expect(await submitBatch(context(), LIMITS, batch)).toEqual({ batchId: "later", replayed: true });
    expect(await balance(contract)).toMatchObject({ available: "0", pendingSent: "6" });
  });
});

test("an unregistered contract cannot submit", async () => {
  const before = await storedSums(db);
  const error = await refusalOf(submit(wallet(0xdead), [[1, "1"]]));
  expect(error.code).toBe("contract_not_found");
  expect(await storedSums(db)).toEqual(before);
});

test("a wallet with an account from received points cannot submit unless it is a contract", async () => {
  await submit(await newContract(), [[0x77, "5"]]);
  await finalize();
  const before = await storedSums(db);
  const error = await refusalOf(submit(wallet(0x77), [[1, "1"]], { batchId: "mine" }));
  expect(error.code).toBe("contract_not_found");
  expect(await storedSums(db)).toEqual(before);
});

test("a failure inside the database leaves nothing behind", async () => {
  const contract = await newContract();
  const before = await storedSums(db);
  const batch = batchOf(contract, [
    [1, "1"],
    [2, "1"],
  ]);
  const broken = { ...batch, transfers: [batch.transfers[0]!, { toAddress: wallet(2), points: "0" }] };
  await expect(submitBatch(context(), LIMITS, broken)).rejects.toMatchObject({ code: "23514" });
  const gone = answerStatement(db, "insert into batches", () =>
    Promise.reject(new Error("CONNECTION_CLOSED")),
  );
  await expect(submitBatch(testContext(gone), LIMITS, batch)).rejects.toThrow("CONNECTION_CLOSED");
  expect(await storedSums(db)).toEqual(before);
});
