import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimDueBatches } from "../finalizer/claim-due-batches";
import { batchOf, newContract, submit, times } from "../testing/factories";
import { testDatabase } from "../testing/test-database";
import { settleStatement } from "./settle";

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

test("what settling wrote is read once, however many batches the claim holds", async () => {
  const contract = await newContract(db);
  await times(20, () => submit(db, batchOf(contract, [[0x61, "1"]])));
  const claimId = randomUUID();
  await claimDueBatches(db, claimId);
  const [row] = await db.sql<{ "QUERY PLAN": { Plan: PlanNode }[] }[]>`
    explain (analyze, format json) ${settleStatement(db, claimId)}`;
  const reads = nodesOf(row!["QUERY PLAN"][0]!.Plan).filter((node) => node["CTE Name"] === "written");
  expect(reads.map((node) => node["Actual Loops"])).toEqual([1]);
});

interface PlanNode {
  "CTE Name"?: string;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
