import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { within } from "@/db/client";
import { wallet } from "@/testing/factories";
import { untilBlocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { findBatch } from "../batches/list/get-batch";
import { claimDueBatches } from "../finalizer/claim-due-batches";
import { settleClaim, settleStatement } from "./settle";

const { db, context, newContract, submit, finalize, balance } = useLedger();

test("settling credits every recipient and debits the contract", async () => {
  const contract = await newContract();
  const rows = [[0x51, "10.5"] as const, [0x52, "0.000000000001"] as const];
  await submit(contract, rows, { batchId: "b" });
  const run = { batchesFinalized: 1, transfersSettled: 2, dueLeft: 0, failure: null };
  expect(await finalize()).toMatchObject(run);
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

test("settling settles contracts that send to each other in the same chunk exactly", async () => {
  const [a, b, c] = [await newContract(), await newContract(), await newContract()];
  await submit(a, [[b, "10"] as const, [c, "1"] as const]);
  await submit(b, [[a, "3"] as const, [c, "2"] as const]);
  await submit(c, [[b, "5"] as const, [a, "4"] as const]);
  await finalize();
  for (const [address, received, sent] of [
    [a, "7", "11"] as const,
    [b, "15", "5"] as const,
    [c, "3", "9"] as const,
  ])
    expect(await balance(address)).toMatchObject({
      receivedCumulative: received,
      finalizedSentCumulative: sent,
      available: received,
    });
});

test("settling lets a contract send points that it received, also before it was registered", async () => {
  const source = await newContract();
  const relay = await newContract({ issuance: "PREFUNDED" });
  const late = `0x${"1a7e".repeat(10)}`;
  await submit(source, [[relay, "8"] as const, [late, "8"] as const]);
  await expect(submit(relay, [[1, "8"]])).rejects.toMatchObject({ code: "insufficient_points" });
  await finalize();
  await newContract({ address: late, issuance: "PREFUNDED" });
  for (const contract of [relay, late]) await submit(contract, [[1, "8"]]);
  await finalize();
  for (const contract of [relay, late])
    expect(await balance(contract)).toMatchObject({
      available: "0",
      receivedCumulative: "8",
      finalizedSentCumulative: "8",
    });
});

test("a claim settles once, no matter how often it is settled, even concurrently", async () => {
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
