import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { nodesOf, type PlanNode } from "@/testing/explain";
import { times, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { claimDueBatches } from "../finalizer/claim-due-batches";
import { addressToBytes } from "../kernel/values/addresses";
import { settleClaim, settleStatement } from "./settle";

const { db, newContract, submit } = useLedger({ balances: false });

test("settling reads its written rows once, no matter how many batches the claim has", async () => {
  const contract = await newContract();
  await times(20, () => submit(contract, [[0x61, "1"]]));
  const claim = await claimDueBatches(db, randomUUID());
  const [row] = await db.sql<{ "QUERY PLAN": { Plan: PlanNode }[] }[]>`
    explain (analyze, format json) ${settleStatement(db, claim)}`;
  const reads = nodesOf([row!["QUERY PLAN"][0]!.Plan]).filter((node) => node["CTE Name"] === "written");
  expect(reads.map((node) => node["Actual Loops"])).toEqual([1]);
});

test("accounts are written in address order, even when Postgres groups them with an unordered hash", async () => {
  const rows = Array.from({ length: 300 }, (_, n) => [0x70_0000 + ((n * 7) % 300), "1"] as const);
  await submit(await newContract(), rows);
  const claim = await claimDueBatches(db, randomUUID());
  await db.sql.begin(async (tx) => {
    await tx`set local enable_sort = off`;
    await settleClaim({ ...db, sql: tx as never }, claim);
  });
  // In a table without free space, physical order is the order of writing.
  const written = await db.sql<{ address: Buffer }[]>`
    select address from accounts where address between ${addressToBytes(wallet(0x70_0000))} and ${addressToBytes(wallet(0x70_012c))}
    order by ctid`;
  const addresses = written.map(({ address }) => address.toString("hex"));
  expect(addresses).toHaveLength(300);
  expect(addresses).toEqual([...addresses].sort());
});
