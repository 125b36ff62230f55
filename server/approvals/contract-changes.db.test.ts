import { describe, expect, test } from "vitest";
import { constraintOf } from "@/testing/expect-refusal";
import { times, wallet } from "@/testing/factories";
import { setRule } from "@/testing/set-rule";
import { callerOf } from "@/testing/staff-caller";
import { untilBlocked } from "@/testing/until-blocked";
import { useLedger } from "@/testing/use-ledger";
import { describeContract } from "../contracts/describe-contract";
import { setIssuance } from "../contracts/set-issuance";
import { setOperator } from "../contracts/set-operator";
import { addressToBytes } from "../kernel/values/addresses";
import type { PointType } from "../kernel/values/point-types";
import { grantPoints } from "../ledger/grant-points";
import { listIssuances } from "../ledger/list-issuances";
import type { ProposeChangeInput } from "./console-schema";
import { decideChange } from "./decide-change";
import { proposeChange } from "./propose-change";
import { readApprovals } from "./read-approvals";

const { db, context, newContract } = useLedger();

const ann = () => context("staff:ann@example.com");
const bob = () => context("staff:bob@example.com");
const POINTS = "PHASE2_POINTS" satisfies PointType;
const OPERATOR = wallet(0xab).toLowerCase();

type Rule = Parameters<typeof setRule>[2];

async function ruledContract(rule: Rule = { threshold: "10" }) {
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
  await setRule(db, contractAddress, rule);
  return contractAddress;
}

/** The three changes, each made directly and as a proposal. */
const CHANGES = {
  GRANT: {
    fields: { kind: "GRANT", pointType: POINTS, points: "10" },
    make: (contractAddress: string) =>
      grantPoints(ann(), { contractAddress, pointType: POINTS, points: "10" }),
  },
  ISSUANCE: {
    fields: { kind: "ISSUANCE", issuance: "ON_DEMAND" },
    make: (contractAddress: string) => setIssuance(ann(), { contractAddress, issuance: "ON_DEMAND" }),
  },
  OPERATOR: {
    fields: { kind: "OPERATOR", operatorAddress: OPERATOR },
    make: (contractAddress: string) => setOperator(ann(), { contractAddress, operatorAddress: OPERATOR }),
  },
} as const;
const KINDS = ["GRANT", "ISSUANCE", "OPERATOR"] as const;
type Kind = (typeof KINDS)[number];

const proposalOf = (kind: Kind, contractAddress: string) =>
  ({ ...CHANGES[kind].fields, contractAddress, reason: "season" }) as ProposeChangeInput;

async function proposed(kind: Kind, contractAddress: string) {
  const { changeId } = await proposeChange(ann(), proposalOf(kind, contractAddress));
  return { contractAddress, changeId, reason: "agreed" };
}

async function standing(contractAddress: string) {
  const { issuance, operatorAddress, balances } = await describeContract(ann(), { contractAddress });
  return {
    issuance,
    operator: operatorAddress?.toLowerCase() ?? null,
    earned: balances[POINTS].earnedCumulative,
  };
}
const BEFORE = { issuance: "PREFUNDED", operator: null, earned: "5" };
const AFTER = {
  GRANT: { ...BEFORE, earned: "15" },
  ISSUANCE: { ...BEFORE, issuance: "ON_DEMAND" },
  OPERATOR: { ...BEFORE, operator: OPERATOR },
};
/** A change after the one above, which would be none for an issuance or operator that stays the same. */
const makeNext = async (kind: Kind, contractAddress: string): Promise<unknown> =>
  kind === "OPERATOR"
    ? setOperator(bob(), { contractAddress, operatorAddress: null })
    : kind === "ISSUANCE"
      ? setIssuance(bob(), { contractAddress, issuance: "PREFUNDED" })
      : CHANGES.GRANT.make(contractAddress);
const openOf = async (contractAddress: string) => (await readApprovals(ann(), { contractAddress })).proposed;

describe.each(KINDS)("a change of kind %s", (kind) => {
  const { make } = CHANGES[kind];

  test("is made immediately without a rule", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
    await make(contractAddress);
    expect(await standing(contractAddress)).toEqual(AFTER[kind]);
  });

  test("is refused under a rule, with where to propose it", async () => {
    const contractAddress = await ruledContract();
    await expect(make(contractAddress)).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("Propose it on the contract's page in the console."),
    });
    expect(await standing(contractAddress)).toEqual(BEFORE);
  });

  test("changes nothing while it is proposed, and is made once another admin approves it", async () => {
    const contractAddress = await ruledContract();
    const change = await proposed(kind, contractAddress);
    expect(await standing(contractAddress)).toEqual(BEFORE);
    expect(await openOf(contractAddress)).toMatchObject([
      { kind, proposedBy: "staff:ann@example.com", reason: "season" },
    ]);
    await decideChange(bob(), "approve", change);
    expect(await standing(contractAddress)).toEqual(AFTER[kind]);
    expect(await openOf(contractAddress)).toEqual([]);
    // Only the approved change, not the next one too.
    await expect(makeNext(kind, contractAddress)).rejects.toMatchObject({ code: "not_allowed" });
  });

  test.each(["approve", "reject"] as const)("is not decided by its proposer: %s", async (decision) => {
    const contractAddress = await ruledContract();
    const change = await proposed(kind, contractAddress);
    await expect(decideChange(ann(), decision, change)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await standing(contractAddress)).toEqual(BEFORE);
  });

  test.each([
    ["reject", bob],
    ["withdraw", ann],
  ] as const)("changes nothing after: %s", async (decision, by) => {
    const contractAddress = await ruledContract();
    const change = await proposed(kind, contractAddress);
    await decideChange(by(), decision, change);
    await expect(decideChange(bob(), "approve", change)).rejects.toThrow("already");
    expect(await standing(contractAddress)).toEqual(BEFORE);
  });

  test("is made once, however many approve it at the same time", async () => {
    const contractAddress = await ruledContract();
    const change = await proposed(kind, contractAddress);
    const outcomes = await times(6, (at) =>
      decideChange(context(`staff:admin${at % 2}@example.com`), "approve", change).then(
        () => "done",
        ({ message }: Error) => message,
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(5).fill("This change is already approved."), "done"]);
    expect(await standing(contractAddress)).toEqual(AFTER[kind]);
  });

  test("is the only open one of its kind", async () => {
    const contractAddress = await ruledContract();
    const outcomes = await times(3, () =>
      proposed(kind, contractAddress).then(
        () => "done",
        ({ message }: Error) => message,
      ),
    );
    const refusal = "Such a change is already proposed. Approve, reject or withdraw it first.";
    expect(outcomes.toSorted()).toEqual([refusal, refusal, "done"]);
  });

  test("and every decision about it are in the audit log", async () => {
    const contractAddress = await ruledContract();
    await decideChange(bob(), "reject", await proposed(kind, contractAddress));
    await decideChange(ann(), "withdraw", await proposed(kind, contractAddress));
    await decideChange(bob(), "approve", await proposed(kind, contractAddress));
    const audit = await db.sql<{ actor: string; action: string; kind: string | null }[]>`
      select actor, action, detail->>'kind' as kind from audit_log
      where target = ${`contract:${contractAddress.toLowerCase()}`} order by id offset 2`;
    const applied = { GRANT: "points.grant", ISSUANCE: "contract.issuance", OPERATOR: "contract.operator" };
    const [byAnn, byBob] = ["staff:ann@example.com", "staff:bob@example.com"];
    expect([...audit]).toEqual([
      { actor: byAnn, action: "change.propose", kind },
      { actor: byBob, action: "change.reject", kind },
      { actor: byAnn, action: "change.propose", kind },
      { actor: byAnn, action: "change.withdraw", kind },
      { actor: byAnn, action: "change.propose", kind },
      { actor: byBob, action: "change.approve", kind },
      { actor: byBob, action: applied[kind], kind: null },
    ]);
  });

  test("either comes before a rule that is approved at the same time, or is refused", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
    const rule = {
      contractAddress,
      kind: "RULE",
      pointType: POINTS,
      threshold: "10",
      onUnusual: false,
    } as const;
    const { changeId } = await proposeChange(ann(), { ...rule, reason: "large" });
    const making: Promise<string>[] = [];
    await db.sql.begin(async (tx) => {
      await tx`select 1 from contracts where address = ${addressToBytes(contractAddress)} for update`;
      const approving = decideChange(bob(), "approve", { contractAddress, changeId, reason: "agreed" });
      await untilBlocked(db);
      making.push(
        make(contractAddress).then(
          () => "made",
          ({ code }: { code: string }) => code,
        ),
        approving.then(() => "rule"),
      );
    });
    const [made] = await Promise.all(making);
    const wasMade = { made: AFTER[kind], not_allowed: BEFORE }[made!];
    expect(await standing(contractAddress)).toEqual(wasMade);
    const again = made === "made" ? makeNext(kind, contractAddress) : make(contractAddress);
    await expect(again).rejects.toMatchObject({ code: "not_allowed" });
    expect(await standing(contractAddress)).toEqual(wasMade);
  });
});

describe("a grant under a rule", () => {
  const grant = (contractAddress: string, points: string, pointType: PointType = POINTS) =>
    grantPoints(ann(), { contractAddress, pointType, points });

  test("below the threshold, or of another type, is made immediately", async () => {
    const contractAddress = await ruledContract();
    await grant(contractAddress, "9.999999999999");
    await grant(contractAddress, "1000", "PHASE2_GOLD");
    expect(await standing(contractAddress)).toMatchObject({ earned: "14.999999999999" });
  });

  test("without a threshold needs a second admin, whatever its amount", async () => {
    const contractAddress = await ruledContract({ onUnusual: true });
    await expect(grant(contractAddress, "0.01")).rejects.toMatchObject({ code: "not_allowed" });
  });

  test("shows who proposed and who approved it", async () => {
    const contractAddress = await ruledContract();
    await decideChange(bob(), "approve", await proposed("GRANT", contractAddress));
    expect((await listIssuances(ann(), { contractAddress })).issuances[0]).toMatchObject({
      points: "10",
      grantedBy: "staff:ann@example.com",
      approvedBy: "staff:bob@example.com",
    });
  });

  test("keeps rules from being approved until it is made", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
    const contract = addressToBytes(contractAddress);
    let granted: Promise<void> | undefined;
    await db.sql.begin(async (tx) => {
      await tx`select 1 from accounts where address = ${contract} and point_type = 'PHASE2_POINTS' for update`;
      granted = grant(contractAddress, "10");
      await untilBlocked(db);
      // Each approval locks this row first.
      const locking = db.sql`select 1 from contracts where address = ${contract} for update nowait`;
      await expect(locking).rejects.toMatchObject({ code: "55P03" });
    });
    await granted;
  });

  test("can be proposed once for each point type", async () => {
    const contractAddress = await ruledContract();
    await proposed("GRANT", contractAddress);
    const gold = {
      ...CHANGES.GRANT.fields,
      pointType: "PHASE2_GOLD",
      contractAddress,
      reason: "season",
    } as const;
    await proposeChange(ann(), gold);
    expect(await openOf(contractAddress)).toHaveLength(2);
  });
});

test("an ended rule no longer asks for a second admin", async () => {
  const contractAddress = await ruledContract();
  const rule = {
    contractAddress,
    kind: "RULE",
    pointType: POINTS,
    threshold: null,
    onUnusual: false,
  } as const;
  const { changeId } = await proposeChange(ann(), { ...rule, reason: "too slow" });
  await decideChange(bob(), "approve", { contractAddress, changeId, reason: "agreed" });
  for (const kind of KINDS) await CHANGES[kind].make(contractAddress);
  expect(await standing(contractAddress)).toEqual({
    issuance: "ON_DEMAND",
    operator: OPERATOR,
    earned: "15",
  });
});

test("a rule of one type is enough for changes of issuance and operator, until the last one ends", async () => {
  const contractAddress = await ruledContract();
  const rule = {
    contractAddress,
    kind: "RULE",
    pointType: "PHASE2_GOLD",
    onUnusual: false,
    reason: "large",
  } as const;
  for (const threshold of ["7", null]) {
    const { changeId } = await proposeChange(ann(), { ...rule, threshold });
    await decideChange(bob(), "approve", { contractAddress, changeId, reason: "agreed" });
    await expect(CHANGES.OPERATOR.make(contractAddress)).rejects.toMatchObject({ code: "not_allowed" });
  }
});

describe("a proposal that is no longer possible stays open, and says so:", () => {
  const approve = (change: Awaited<ReturnType<typeof proposed>>) => decideChange(bob(), "approve", change);

  test("a grant after the contract gets points on demand", async () => {
    const contractAddress = await ruledContract();
    const change = await proposed("GRANT", contractAddress);
    await approve(await proposed("ISSUANCE", contractAddress));
    await expect(approve(change)).rejects.toThrow("needs no grants. Reject the proposal.");
    expect(await openOf(contractAddress)).toHaveLength(1);
    await decideChange(bob(), "reject", change);
  });

  test("an operator after another one was set", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
    const change = await proposed("OPERATOR", contractAddress);
    await setOperator(ann(), { contractAddress, operatorAddress: wallet(0xcd) });
    await expect(approve(change)).rejects.toThrow("operator was changed after this was proposed. Reject");
    expect(await standing(contractAddress)).toMatchObject({ operator: wallet(0xcd) });
    expect(await openOf(contractAddress)).toMatchObject([{ operatorBefore: null }]);
  });

  test("an issuance that was already set", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED" });
    const change = await proposed("ISSUANCE", contractAddress);
    await setIssuance(ann(), { contractAddress, issuance: "ON_DEMAND" });
    await expect(approve(change)).rejects.toThrow("already ON_DEMAND. Reject the proposal.");
    await expect(proposed("GRANT", contractAddress)).rejects.toThrow("needs no grants");
  });
});

describe("the database itself refuses", () => {
  const contractOf = (address: string) => addressToBytes(address);

  test.each([
    "operator_address = '\\x00000000000000000000000000000000000000ab'",
    "issuance = 'ON_DEMAND'",
    "approval_required = false",
  ])("under a rule, without an approved change: %s", async (assignment) => {
    const contractAddress = await ruledContract();
    const change = await proposed("OPERATOR", contractAddress);
    const write = (applied: string) =>
      constraintOf(
        db.sql.unsafe(
          `update contracts set ${assignment} ${applied} where address = '\\x${contractAddress.slice(2)}'`,
        ),
      );
    expect(await write("")).toBe("contracts_second_admin");
    // An open change is not enough.
    expect(await write(`, applied_change_id = '${change.changeId}', applied_decision = 'APPROVED'`)).toBe(
      "contracts_applied_change",
    );
    expect(await standing(contractAddress)).toEqual(BEFORE);
  });

  test.each(["APPROVED", "REJECTED"])("that a proposer decides: %s", async (decision) => {
    const { contractAddress, changeId } = await proposed("GRANT", await ruledContract());
    const decided = db.sql`
      update contract_changes set decision = ${decision}, decided_at = proposed_at, decided_by = proposed_by
      where contract_address = ${contractOf(contractAddress)} and id = ${changeId}`;
    expect(await constraintOf(decided)).toBe("contract_changes_second_person");
  });

  test("that a grant is approved by the person who proposed it", async () => {
    const contractAddress = await ruledContract();
    const stored = db.sql`
      insert into issuances (contract_address, point_type, points, granted_by, approved_by)
      values (${contractOf(contractAddress)}, 'PHASE2_POINTS', 1, 'staff:ann@example.com', 'staff:ann@example.com')`;
    expect(await constraintOf(stored)).toBe("issuances_second_person");
  });
});

test.each(["viewer", "operator"] as const)("a %s proposes no change", async (role) => {
  const contractAddress = await ruledContract();
  const { approvals } = callerOf(db, role);
  for (const kind of KINDS)
    await expect(approvals.propose(proposalOf(kind, contractAddress))).rejects.toThrow(
      "requires the role admin",
    );
});
