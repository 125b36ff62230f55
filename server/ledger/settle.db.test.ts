import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { within } from "@/db/client";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { wallet } from "@/testing/factories";
import { untilBlocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { settleClaim, settleStatement } from "./settle";

const { db, newContract, submit, finalize, balance } = useLedger();

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
  expect(await second).toEqual({ batches: 0, transfers: 0, lagSecondsMax: 0, accounts: 0 });
  expect(await settleClaim(db, claim)).toMatchObject({ batches: 0 });
  expect((await balance(wallet(0x81))).available).toBe("4");
});

test("accounts are written in address order, even when Postgres groups them with an unordered hash", async () => {
  const rows = Array.from({ length: 300 }, (_, n) => [0x70_0000 + ((n * 7) % 300), "1"] as const);
  await submit(await newContract(), rows);
  const claim = await claimDueBatches(db, randomUUID());
  await db.sql.begin(async (tx) => {
    await tx`set local enable_sort = off`;
    await settleStatement(within(db, tx), claim);
  });
  // In a table without free space, physical order is the order of writing.
  const written = await db.sql<{ address: Buffer }[]>`
    select address from accounts where address between ${addressToBytes(wallet(0x70_0000))} and ${addressToBytes(wallet(0x70_012c))}
    order by ctid`;
  const addresses = written.map(({ address }) => address.toString("hex"));
  expect(addresses).toHaveLength(300);
  expect(addresses).toEqual([...addresses].sort());
});
