import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { within } from "@/db/client";
import { times, wallet } from "@/testing/factories";
import { untilBlocked } from "@/testing/until-blocked";
import { useLedger } from "@/testing/use-ledger";
import { findBatch } from "../batches/list/get-batch";
import { claimDueBatches } from "../finalizer/claim-due-batches";
import { settleClaim, settleStatement } from "./settle";

const { db, context, newContract, submit, finalize, balance } = useLedger();

describe("settling", () => {
  test("credits every recipient and debits the contract", async () => {
    const contract = await newContract();
    await submit(
      contract,
      [
        [0x51, "10.5"],
        [0x52, "0.000000000001"],
      ],
      { batchId: "b" },
    );
    expect(await finalize()).toMatchObject({
      batchesFinalized: 1,
      transfersSettled: 2,
      dueLeft: 0,
      failure: null,
    });
    expect((await balance(wallet(0x51))).available).toBe("10.5");
    expect((await balance(wallet(0x52))).receivedCumulative).toBe("0.000000000001");
    expect(await balance(contract)).toEqual({
      available: "0",
      pendingSent: "0",
      earnedCumulative: "10.500000000001",
      receivedCumulative: "0",
      finalizedSentCumulative: "10.500000000001",
    });
    const batch = await findBatch(context(), contract, "b");
    expect(batch).toMatchObject({ status: "FINALIZED", leaseUntil: null });
    expect(batch.updatedAt).toEqual(batch.finalizedAt);
    expect(batch.finalizedAt!.getTime()).toBeGreaterThanOrEqual(batch.finalizeAt.getTime());
  });

  test("keeps point types separate for the same wallets", async () => {
    const contract = await newContract();
    await submit(contract, [[0x61, "1"]]);
    await submit(contract, [[0x61, "2"]], { pointType: "PHASE2_GOLD" });
    await finalize();
    expect((await balance(wallet(0x61))).available).toBe("1");
    expect((await balance(wallet(0x61), "PHASE2_GOLD")).available).toBe("2");
  });

  test("adds up many batches to the same few wallets", async () => {
    const contracts = await times(5, () => newContract());
    await times(40, (i) =>
      submit(
        contracts[i % 5]!,
        Array.from({ length: 20 }, (_, n) => [0x700 + n, "1.25"] as const),
      ),
    );
    await finalize();
    for (let n = 0; n < 20; n++) expect((await balance(wallet(0x700 + n))).available).toBe("50");
  });

  test("settles contracts that send to each other in the same chunk exactly", async () => {
    const [a, b, c] = [await newContract(), await newContract(), await newContract()];
    await submit(a, [
      [b, "10"],
      [c, "1"],
    ]);
    await submit(b, [
      [a, "3"],
      [c, "2"],
    ]);
    await submit(c, [
      [b, "5"],
      [a, "4"],
    ]);
    await finalize();
    expect(await balance(a)).toMatchObject({
      receivedCumulative: "7",
      finalizedSentCumulative: "11",
      available: "7",
    });
    expect(await balance(b)).toMatchObject({
      receivedCumulative: "15",
      finalizedSentCumulative: "5",
      available: "15",
    });
    expect(await balance(c)).toMatchObject({
      receivedCumulative: "3",
      finalizedSentCumulative: "9",
      available: "3",
    });
  });

  test("lets a PREFUNDED contract send points that it received", async () => {
    const source = await newContract();
    const relay = await newContract({ issuance: "PREFUNDED" });
    await submit(source, [[relay, "8"]]);
    await expect(submit(relay, [[1, "8"]])).rejects.toMatchObject({
      code: "insufficient_points",
    });
    await finalize();
    await submit(relay, [[1, "8"]]);
    await finalize();
    expect(await balance(relay)).toMatchObject({
      available: "0",
      receivedCumulative: "8",
      finalizedSentCumulative: "8",
    });
  });

  test("keeps the balance of a recipient that is registered as a contract later", async () => {
    const source = await newContract();
    const late = `0x${"1a7e".repeat(10)}`;
    await submit(source, [[late, "8"]]);
    await finalize();
    await newContract({ address: late, issuance: "PREFUNDED" });
    expect((await balance(late)).available).toBe("8");
    await submit(late, [[1, "8"]]);
    await finalize();
    expect((await balance(late)).available).toBe("0");
  });
});

describe("a claim", () => {
  test("settles once, no matter how often it is settled, even concurrently", async () => {
    const contract = await newContract();
    await submit(contract, [[0x81, "4"]]);
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
    expect((await balance(wallet(0x81))).available).toBe("4");
  });

  test("that does not exist settles nothing", async () => {
    const claim = { id: randomUUID(), contracts: [Buffer.alloc(20, 1)] };
    expect(await settleClaim(db, claim)).toEqual({ batches: 0, transfers: 0, lagSecondsMax: 0 });
  });
});
