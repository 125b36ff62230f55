import { describe, expect, test } from "vitest";
import { times } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { findBatch } from "../batches/list/get-batch";
import type { ProposeChangeInput } from "./console-schema";
import { decideChange } from "./decide-change";
import { proposeChange } from "./propose-change";
import { readApprovals } from "./read-approvals";

const { db, context, newContract, submit } = useLedger();

const ann = () => context("staff:ann@example.com");
const bob = () => context("staff:bob@example.com");
const RULE = {
  kind: "RULE",
  pointType: "PHASE2_POINTS",
  threshold: "10",
  onUnusual: false,
  reason: "large",
} as const;

type Rule = Extract<ProposeChangeInput, { kind: "RULE" }>;

async function proposal(change: Partial<Omit<Rule, "kind">> = {}) {
  const contractAddress = change.contractAddress ?? (await newContract());
  const { changeId } = await proposeChange(ann(), { ...RULE, contractAddress, ...change });
  return { contractAddress, changeId, reason: "agreed" };
}
const inForce = async (contractAddress: string) => (await readApprovals(ann(), { contractAddress })).rules[0];
const NONE = { pointType: "PHASE2_POINTS", threshold: null, onUnusual: false };

describe("a proposed rule", () => {
  test("applies only once another admin approves it, and then to new batches", async () => {
    const change = await proposal();
    const batchIn = async (batchId: string) => {
      await submit(change.contractAddress, [[1, "10"]], { batchId, secondsToFinalize: 3600 });
      return (await findBatch(ann(), change.contractAddress, batchId)).awaitsApproval;
    };
    expect(await batchIn("before")).toBe(false);
    await decideChange(bob(), "approve", change);
    expect(await inForce(change.contractAddress)).toEqual({ ...NONE, threshold: "10" });
    expect(await batchIn("after")).toBe(true);
    expect((await findBatch(ann(), change.contractAddress, "before")).awaitsApproval).toBe(false);
  });

  test("that loosens or ends the rule in force needs another admin too", async () => {
    const first = await proposal();
    await decideChange(bob(), "approve", first);
    const { contractAddress } = first;
    const looser = await proposal({ contractAddress, threshold: null });
    await expect(decideChange(ann(), "approve", looser)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await inForce(contractAddress)).toMatchObject({ threshold: "10" });
    await decideChange(bob(), "approve", looser);
    expect(await inForce(contractAddress)).toEqual(NONE);
  });

  test("is decided once, no matter how many decide at the same time", async () => {
    const change = await proposal();
    const outcomes = await times(9, (at) =>
      decideChange(
        at % 3 === 2 ? ann() : bob(),
        (["approve", "reject", "withdraw"] as const)[at % 3]!,
        change,
      ).then(
        () => "done",
        () => "refused",
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
  });

  test("does not exist for an unknown contract or ID", async () => {
    const unknown = `0x${"ee".repeat(20)}`;
    await expect(proposal({ contractAddress: unknown })).rejects.toMatchObject({
      code: "contract_not_found",
    });
    const change = await proposal();
    const other = { ...change, contractAddress: await newContract() };
    await expect(decideChange(bob(), "approve", other)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("roles", () => {
  const change = { changeId: "00000000-0000-4000-8000-000000000000", reason: "because" };

  test.each(["viewer", "operator"] as const)("a %s reads rules and changes none", async (role) => {
    const contractAddress = await newContract();
    const { approvals } = callerOf(db, role);
    expect((await approvals.get({ contractAddress })).rules).toHaveLength(2);
    const refused = "requires the role admin";
    await expect(approvals.propose({ ...RULE, contractAddress })).rejects.toThrow(refused);
    for (const decide of ["approve", "reject", "withdraw"] as const)
      await expect(approvals[decide]({ contractAddress, ...change })).rejects.toThrow(refused);
  });

  test("a viewer neither approves nor rejects a batch; an operator may", async () => {
    const contractAddress = await newContract();
    await decideChange(bob(), "approve", await proposal({ contractAddress }));
    for (const batchId of ["one", "two"])
      await submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: 3600 });
    const [one, two] = ["one", "two"].map((batchId) => ({ contractAddress, batchId, reason: "because" }));
    const viewer = callerOf(db, "viewer").batches;
    await expect(viewer.approve(one!)).rejects.toThrow("requires the role operator");
    await expect(viewer.reject(one!)).rejects.toThrow("requires the role operator");
    await callerOf(db, "operator").batches.approve(one!);
    await callerOf(db, "operator").batches.reject(two!);
    expect((await findBatch(ann(), contractAddress, "one")).approvedBy).toBe("staff:operator@example.com");
    expect((await findBatch(ann(), contractAddress, "two")).status).toBe("CANCELLED");
  });
});
