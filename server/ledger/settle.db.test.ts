import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { within } from "@/db/client";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import {
  balance,
  batchOf,
  finalize,
  newContract,
  submit,
  testContext,
  times,
  wallet,
} from "@/testing/factories";
import { testDatabase } from "@/testing/test-database";
import { untilBlocked } from "@/testing/until-blocked";
import { findBatch } from "../batches/list/get-batch";
import { claimDueBatches } from "../finalizer/claim-due-batches";
import { settleClaim, settleStatement } from "./settle";

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(() => expectLedgerToBalance(db));
afterAll(() => db?.drop());

describe("settling", () => {
  test("credits every recipient and debits the contract", async () => {
    const contract = await newContract(db);
    await submit(
      db,
      batchOf(
        contract,
        [
          [0x51, "10.5"],
          [0x52, "0.000000000001"],
        ],
        { batchId: "b" },
      ),
    );
    expect(await finalize(db)).toMatchObject({
      batchesFinalized: 1,
      transfersSettled: 2,
      dueLeft: 0,
      failure: null,
    });
    expect((await balance(db, wallet(0x51))).available).toBe("10.5");
    expect((await balance(db, wallet(0x52))).receivedCumulative).toBe("0.000000000001");
    expect(await balance(db, contract)).toEqual({
      available: "0",
      pendingSent: "0",
      earnedCumulative: "10.500000000001",
      receivedCumulative: "0",
      finalizedSentCumulative: "10.500000000001",
    });
    const batch = await findBatch(testContext(db), contract, "b");
    expect(batch).toMatchObject({ status: "FINALIZED", leaseUntil: null });
    expect(batch.updatedAt).toEqual(batch.finalizedAt);
    expect(batch.finalizedAt!.getTime()).toBeGreaterThanOrEqual(batch.finalizeAt.getTime());
  });

  test("keeps point types separate for the same wallets", async () => {
    const contract = await newContract(db);
    await submit(db, batchOf(contract, [[0x61, "1"]]));
    await submit(db, batchOf(contract, [[0x61, "2"]], { pointType: "PHASE2_GOLD" }));
    await finalize(db);
    expect((await balance(db, wallet(0x61))).available).toBe("1");
    expect((await balance(db, wallet(0x61), "PHASE2_GOLD")).available).toBe("2");
  });

  test("adds up many batches to the same few wallets", async () => {
    const contracts = await times(5, () => newContract(db));
    await times(40, (i) =>
      submit(
        db,
        batchOf(
          contracts[i % 5]!,
          Array.from({ length: 20 }, (_, n) => [0x700 + n, "1.25"] as const),
        ),
      ),
    );
    await finalize(db);
    for (let n = 0; n < 20; n++) expect((await balance(db, wallet(0x700 + n))).available).toBe("50");
  });

  test("settles contracts that send to each other in the same chunk exactly", async () => {
    const [a, b, c] = [await newContract(db), await newContract(db), await newContract(db)];
    await submit(
      db,
      batchOf(a, [
        [b, "10"],
        [c, "1"],
      ]),
    );
    await submit(
      db,
      batchOf(b, [
        [a, "3"],
        [c, "2"],
      ]),
    );
    await submit(
      db,
      batchOf(c, [
        [b, "5"],
        [a, "4"],
      ]),
    );
    await finalize(db);
    expect(await balance(db, a)).toMatchObject({
      receivedCumulative: "7",
      finalizedSentCumulative: "11",
      available: "7",
    });
    expect(await balance(db, b)).toMatchObject({
      receivedCumulative: "15",
      finalizedSentCumulative: "5",
      available: "15",
    });
    expect(await balance(db, c)).toMatchObject({
      receivedCumulative: "3",
      finalizedSentCumulative: "9",
      available: "3",
    });
  });

  test("lets a PREFUNDED contract send points that it received", async () => {
    const source = await newContract(db);
    const relay = await newContract(db, { issuance: "PREFUNDED" });
    await submit(db, batchOf(source, [[relay, "8"]]));
    await expect(submit(db, batchOf(relay, [[1, "8"]]))).rejects.toMatchObject({
      code: "insufficient_points",
    });
    await finalize(db);
    await submit(db, batchOf(relay, [[1, "8"]]));
    await finalize(db);
    expect(await balance(db, relay)).toMatchObject({
      available: "0",
      receivedCumulative: "8",
      finalizedSentCumulative: "8",
    });
  });

  test("keeps the balance of a recipient that is registered as a contract later", async () => {
    const source = await newContract(db);
    const late = `0x${"1a7e".repeat(10)}`;
    await submit(db, batchOf(source, [[late, "8"]]));
    await finalize(db);
    await newContract(db, { address: late, issuance: "PREFUNDED" });
    expect((await balance(db, late)).available).toBe("8");
    await submit(db, batchOf(late, [[1, "8"]]));
    await finalize(db);
    expect((await balance(db, late)).available).toBe("0");
  });

  test("settles a batch of 2,000 transfers in one chunk", async () => {
    const contract = await newContract(db);
    await submit(
      db,
      batchOf(
        contract,
        Array.from({ length: 2000 }, (_, n) => [0x9_0000 + n, `${n + 1}.5`] as const),
      ),
    );
    expect(await finalize(db)).toMatchObject({ batchesFinalized: 1, transfersSettled: 2000 });
    expect((await balance(db, wallet(0x9_0000 + 1999))).available).toBe("2000.5");
  });

  test("does not settle batches that are not due", async () => {
    const contract = await newContract(db);
    await submit(db, batchOf(contract, [[1, "1"]], { batchId: "b", secondsToFinalize: 1 }));
    expect(await finalize(db)).toMatchObject({ batchesFinalized: 0, dueLeft: 0 });
    expect((await findBatch(testContext(db), contract, "b")).status).toBe("PENDING");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await finalize(db)).toMatchObject({ batchesFinalized: 1 });
  });
});

describe("a claim", () => {
  test("settles once, no matter how often it is settled, even concurrently", async () => {
    const contract = await newContract(db);
    await submit(db, batchOf(contract, [[0x81, "4"]]));
    const claim = await claimDueBatches(db, randomUUID());
    expect(claim.batches).toBe(1);
    let second = Promise.resolve<unknown>(null);
    await db.sql.begin(async (tx) => {
      expect(await settleStatement(within(db, tx), claim)).toMatchObject([{ batches: 1 }]);
      second = settleClaim(db, claim);
      await untilBlocked(db);
    });
    expect(await second).toEqual({ batches: 0, transfers: 0, lagSecondsMax: 0 });
    expect(await settleClaim(db, claim)).toMatchObject({ batches: 0 });
    expect((await balance(db, wallet(0x81))).available).toBe("4");
  });

  test("that does not exist settles nothing", async () => {
    const claim = { id: randomUUID(), contracts: [Buffer.alloc(20, 1)] };
    expect(await settleClaim(db, claim)).toEqual({ batches: 0, transfers: 0, lagSecondsMax: 0 });
  });
});
