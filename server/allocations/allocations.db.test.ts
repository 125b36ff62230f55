import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { beforeAll, expect, test } from "vitest";
import { snapshotOf, wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { getClaim } from "./get-claim";
import { makeAllocations } from "./make-allocation";

const { db, context, newContract, submit, finalize } = useLedger();

let snapshotId: string;
beforeAll(async () => {
  const contractAddress = await newContract();
  await submit(contractAddress, [
    [1, "10.5"],
    [2, "2"],
    [3, "0.25"],
  ]);
  await finalize();
  ({ id: snapshotId } = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" }));
});

test("an allocation is previewed, requested, made, published and listed in the console", async () => {
  const { allocations } = callerOf(db, "admin");
  const rule = { snapshotId, rule: "PRO_RATA" as const, total: "1000", decimals: 18 };
  const figures = await allocations.preview(rule);
  expect(figures).toEqual({
    ...{ claims: 3, withoutClaim: 0, sum: "1000", dust: "2" },
    ...{ smallest: "20", median: "157", largest: "823" },
  });
  const requested = await allocations.request({ ...rule, name: "Season 1" });
  expect(requested).toMatchObject({ status: "RUNNING", claims: null, name: "Season 1", total: "1000" });
  await makeAllocations(db);
  const made = await allocations.get({ allocationId: requested.id });
  expect(made).toMatchObject({ ...figures, status: "READY", publishedAt: null });
  const published = await allocations.publish({ allocationId: made.id });
  expect(published).toMatchObject({ ...figures, publishedBy: "staff:admin@example.com" });
  expect(await allocations.list({ snapshotId })).toEqual([published]);
  const claim = await getClaim(context(), { allocationId: made.id, address: wallet(2) });
  expect(claim).toMatchObject({
    amount: "157",
    tokens: "0.000000000000000157",
    index: 1,
    address: wallet(2),
  });
  const values: [string, string] = [claim.address, claim.amount];
  expect(StandardMerkleTree.verify(claim.root, ["address", "uint256"], values, claim.proof)).toBe(true);
});
