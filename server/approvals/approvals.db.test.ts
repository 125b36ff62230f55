import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { proposalConditions } from "@/server/alerts/find-proposals";
import { approveBatch } from "@/server/batches/change/approve-batch";
import { findBatch } from "@/server/batches/list/get-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { setDefaultWait, setIssuance, setOperator } from "@/server/contracts/change-contract";
import { describeContract } from "@/server/contracts/read-contracts";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { settings } from "@/server/kernel/settings";
import { grantPoints, listIssuances } from "@/server/ledger/issuances";
import { acceptInvitation } from "@/server/staff/links";
import { createConsoleCaller } from "@/server/trpc/root";
import type { PointType } from "@/terms/batch-terms";
import { constraintOf } from "@/testing/expectations";
import { batchOf, LIMITS, newPerson, setRule, storedPerson, times, wallet } from "@/testing/factories";
import { untilBlocked } from "@/testing/races";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { decideChange, proposeChange, readApprovals } from "./changes";
import type { ProposeChangeInput } from "./schema";

const { db, context, newContract, submit } = useLedger();

const ann = () => context("staff:ann@example.com");

const bob = () => context("staff:bob@example.com");

const RULE = {
  kind: "RULE",
  pointType: "PHASE2_POINTS",
  threshold: "10",
  onUnusual: false,
  dayThreshold: null,
  reason: "large",
} as const;

type Decision = Parameters<typeof approveBatch>[1];
type Rule = Extract<ProposeChangeInput, { kind: "RULE" }>;

async function proposal(change: Partial<Omit<Rule, "kind">> = {}) {
  const contractAddress = change.contractAddress ?? (await newContract());
  const { changeId } = await proposeChange(ann(), { ...RULE, contractAddress, ...change });
  return { contractAddress, changeId, reason: "agreed" };
}

test("a proposed rule applies to new batches only", async () => {
  const change = await proposal();
  const { contractAddress } = change;
  const submitted = (batchId: string) =>
    submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: 3600 });
  await submitted("before");
  await decideChange(bob(), "approve", change);
  await submitted("after");
  for (const [batchId, awaitsApproval] of [
    ["before", false],
    ["after", true],
  ] as const)
    expect(await findBatch(ann(), contractAddress, batchId)).toMatchObject({ awaitsApproval });
});

test("a viewer or operator reads rules and changes none, and only from operator on batches are approved or rejected", async () => {
  const contractAddress = await newContract();
  await decideChange(bob(), "approve", await proposal({ contractAddress }));
  const change = { contractAddress, changeId: "00000000-0000-4000-8000-000000000000", reason: "because" };
  for (const role of ["viewer", "operator"] as const) {
    const { approvals } = callerOf(db, role);
    expect((await approvals.get({ contractAddress })).rules).toHaveLength(2);
    const refused = "requires the role admin";
    await expect(approvals.propose({ ...RULE, contractAddress })).rejects.toThrow(refused);
    for (const decide of ["approve", "reject", "withdraw"] as const)
      await expect(approvals[decide](change)).rejects.toThrow(refused);
  }
  for (const decide of ["approve", "reject"] as const) {
    const key = { contractAddress, batchId: decide, reason: "because" };
    await submit(contractAddress, [[1, "10"]], { batchId: decide, secondsToFinalize: 3600 });
    await expect(callerOf(db, "viewer").batches[decide](key)).rejects.toThrow("requires the role operator");
    await callerOf(db, "operator").batches[decide](key);
  }
  expect((await findBatch(ann(), contractAddress, "approve")).approvedBy).toBe("staff:operator@example.com");
  expect((await findBatch(ann(), contractAddress, "reject")).status).toBe("CANCELLED");
});

describe("one admin alone, while a rule is in force,", () => {
  const [ANN, BOB, CEM] = ["ann@example.com", "bob@example.com", "cem@example.com"];
  const PASSWORD = "a password that is long";
  const staffOf = (email: string, role: "admin" | "operator" = "admin") =>
    createConsoleCaller({
      ...context(`staff:${email}`),
      staff: { email, role, sessionId: randomUUID() },
      limits: LIMITS,
      authorization: null,
      clientAddress: "console",
      replyHeaders: new Headers(),
    }).console.staff;
  const accept = (url: string | null) =>
    acceptInvitation(
      { db, requestId: "r", clientAddress: "192.0.2.1" },
      { token: url!.split("#")[1]!, password: PASSWORD },
    );
  /** What `accept` changes, without the time that hashing a password takes. */
  const comesIn = (email: string) => db.sql`
    with used as (
      update staff_invitations set ended = 'used' from staff
      where staff.id = staff_id and email = ${email} and ended is null returning staff_id
    )
    update staff set password_hash = 'x', session_epoch = session_epoch + 1 from used where id = staff_id`;
  const newAdmin = (email: string) => newPerson(db, { email, role: "admin", password: PASSWORD });
  const confirmed = { message: expect.stringContaining("another admin confirms") };

  beforeAll(async () => {
    vi.stubEnv("PUBLIC_URL", "https://points.example.com");
    for (const email of [ANN, BOB, CEM]) await newAdmin(email);
    await decideChange(bob(), "approve", await proposal());
  });
  afterAll(() => vi.unstubAllEnvs());

  const idOf = async (email: string) => (await storedPerson(db, email)).id;
  /** Each gives the account with this email to Ann. */
  const WAYS: Record<string, (email: string) => Promise<unknown>> = {
    "invites an admin": async (email) => accept((await staffOf(ANN).invite({ email, role: "admin" })).url),
    "invites a viewer and raises them": async (email) => {
      const { personId } = await staffOf(ANN).invite({ email, role: "viewer" });
      await comesIn(email);
      await staffOf(ANN).changeRole({ personId, role: "admin" });
    },
    "takes a new link of an admin": async (email) => {
      await staffOf(ANN).newLink({ personId: (await newAdmin(email)).id });
      await comesIn(email);
    },
    "enables a disabled admin": async (email) => {
      const { id: personId } = await newAdmin(email);
      await staffOf(ANN).disable({ personId });
      await staffOf(ANN).enable({ personId });
    },
    "lets an admin whom they invited invite another one": async (email) => {
      await staffOf(ANN).invite({ email: `first-${email}`, role: "admin" });
      await comesIn(`first-${email}`);
      await staffOf(`first-${email}`).invite({ email, role: "admin" });
      await comesIn(email);
    },
  };

  test.each(Object.keys(WAYS))(
    "approves nothing when that admin %s, until another one confirms it",
    async (way) => {
      const email = `${way.replaceAll(" ", "-")}@example.com`;
      await WAYS[way]!(email);
      const puppet = () => context(`staff:${email}`);
      const personId = await idOf(email);
      const rule = await proposal();
      await expect(decideChange(puppet(), "approve", rule)).rejects.toMatchObject(confirmed);
      // Nor does Ann approve what that account proposes or submits.
      const given = `You gave ${email} their access`;
      const contractAddress = await newContract();
      const { changeId } = await proposeChange(puppet(), { ...RULE, contractAddress });
      const own = { contractAddress, changeId, reason: "agreed" };
      await expect(decideChange(ann(), "approve", own)).rejects.toThrow(given);
      await decideChange(bob(), "approve", own);
      const [byAnn, byPuppet] = ["b", "c"].map((batchId) => ({
        contractAddress,
        batchId,
        reason: "checked",
      })) as [Decision, Decision];
      for (const [ctx, { batchId }] of [
        [ann(), byAnn],
        [puppet(), byPuppet],
      ] as const)
        await submitBatch(
          ctx,
          LIMITS,
          batchOf(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: 3600 }),
        );
      await expect(approveBatch(puppet(), byAnn)).rejects.toMatchObject(confirmed);
      await expect(approveBatch(ann(), byPuppet)).rejects.toThrow(given);
      // Nor is it confirmed by either of the two.
      for (const by of [ANN, email])
        await expect(staffOf(by).confirm({ personId })).rejects.toThrow(/You gave|is not confirmed yet/);
      const title = `Access of ${email} as admin awaits confirmation`;
      expect(await proposalConditions(ann())).toContainEqual(
        expect.objectContaining({ subject: email, title }),
      );
      const confirm = (role: "admin" | "operator") => staffOf(CEM, role).confirm({ personId });
      await expect(confirm("operator")).rejects.toThrow("requires the role admin");
      await confirm("admin");
      await decideChange(puppet(), "approve", rule);
      await approveBatch(puppet(), byAnn);
      await approveBatch(ann(), byPuppet);
    },
  );

  test("does not confirm whom they invited as a viewer and another admin raised", async () => {
    const { email, personId } = await staffOf(ANN).invite({ email: "seen@example.com", role: "viewer" });
    await comesIn(email);
    await staffOf(BOB).changeRole({ personId, role: "operator" });
    for (const by of [ANN, BOB]) await expect(staffOf(by).confirm({ personId })).rejects.toThrow("You gave");
    await staffOf(CEM).confirm({ personId });
  });

  test("keeps no link to an account that another one confirms", async () => {
    const { id: personId } = await newPerson(db, { email: "fay@example.com", role: "admin" });
    const { url } = await staffOf(ANN).newLink({ personId });
    await staffOf(BOB).confirm({ personId });
    await expect(accept(url)).rejects.toThrow("not valid");
    const invited = await staffOf(ANN).invite({ email: "gil@example.com", role: "operator" });
    const confirm = () => staffOf(BOB).confirm({ personId: invited.personId });
    await expect(confirm()).rejects.toThrow("has not signed in yet");
    await comesIn("gil@example.com");
    await confirm();
  });
});

const POINTS = "PHASE2_POINTS" satisfies PointType;

const OPERATOR = wallet(0xab).toLowerCase();

type SetRule = Parameters<typeof setRule>[2];

async function ruledContract(rule: SetRule = { threshold: "10" }) {
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
  await setRule(db, contractAddress, rule);
  return contractAddress;
}

/** The fields of each proposal, and how the change is made without one. A rule is always proposed. */
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
  WAIT: {
    fields: { kind: "WAIT", seconds: 7200 },
    make: (contractAddress: string) => setDefaultWait(ann(), { contractAddress, seconds: 7200 }),
  },
  RULE: {
    fields: { kind: "RULE", pointType: POINTS, threshold: "7.5", onUnusual: false, dayThreshold: null },
  },
} as const;

const KINDS = ["GRANT", "ISSUANCE", "OPERATOR", "WAIT"] as const;

type Kind = (typeof KINDS)[number];

type ProposedKind = keyof typeof CHANGES;

async function proposed(kind: ProposedKind, contractAddress: string, more: Partial<ProposeChangeInput> = {}) {
  const change = {
    ...CHANGES[kind].fields,
    ...more,
    contractAddress,
    reason: "season",
  } as ProposeChangeInput;
  const { changeId } = await proposeChange(ann(), change);
  return { contractAddress, changeId, reason: "agreed" };
}

async function standing(contractAddress: string) {
  const contract = await describeContract(ann(), { contractAddress });
  const { issuance, operatorAddress, balances, defaultWaitSeconds: wait } = contract;
  const { rules } = await readApprovals(ann(), { contractAddress });
  return {
    issuance,
    operator: operatorAddress?.toLowerCase() ?? null,
    earned: balances[POINTS].earnedCumulative,
    threshold: rules[0]!.threshold,
    wait,
  };
}

const BEFORE = { issuance: "PREFUNDED", operator: null, earned: "5", threshold: "10", wait: null };

const AFTER = {
  GRANT: { ...BEFORE, earned: "15" },
  ISSUANCE: { ...BEFORE, issuance: "ON_DEMAND" },
  OPERATOR: { ...BEFORE, operator: OPERATOR },
  WAIT: { ...BEFORE, wait: 7200 },
  RULE: { ...BEFORE, threshold: "7.5" },
};

/** A change after the one above, which would be none for an issuance or operator that stays the same. */
const makeNext = async (kind: Kind, contractAddress: string): Promise<unknown> =>
  kind === "WAIT"
    ? setDefaultWait(bob(), { contractAddress, seconds: 3600 })
    : kind === "OPERATOR"
      ? setOperator(bob(), { contractAddress, operatorAddress: null })
      : kind === "ISSUANCE"
        ? setIssuance(bob(), { contractAddress, issuance: "PREFUNDED" })
        : CHANGES.GRANT.make(contractAddress);

const openOf = async (contractAddress: string) => (await readApprovals(ann(), { contractAddress })).proposed;

describe.each(["RULE", ...KINDS] as const)("a proposed change of kind %s", (kind) => {
  test("changes nothing while it is open, rejected or withdrawn, and is made once, when another admin approves it", async () => {
    const contractAddress = await ruledContract();
    const propose = () => proposed(kind, contractAddress, kind === "RULE" ? { threshold: "7.5" } : {});
    const noProposal = {
      code: "not_allowed",
      message: expect.stringContaining("Propose it on the contract's page in the console."),
    };
    if (kind !== "RULE") await expect(CHANGES[kind].make(contractAddress)).rejects.toMatchObject(noProposal);
    const rejected = await propose();
    await expect(propose()).rejects.toThrow(
      "Such a change is already proposed. Approve, reject or withdraw it first.",
    );
    expect(await openOf(contractAddress)).toMatchObject([
      { kind, proposedBy: "staff:ann@example.com", reason: "season" },
    ]);
    for (const [by, decision] of [
      [ann, "approve"],
      [ann, "reject"],
      [bob, "withdraw"],
    ] as const)
      await expect(decideChange(by(), decision, rejected)).rejects.toMatchObject({ code: "not_allowed" });
    await decideChange(bob(), "reject", rejected);
    const withdrawn = await propose();
    await decideChange(ann(), "withdraw", withdrawn);
    for (const ended of [rejected, withdrawn])
      await expect(decideChange(bob(), "approve", ended)).rejects.toThrow("already");
    const approved = await propose();
    expect(await standing(contractAddress)).toEqual(BEFORE);
    const outcomes = await times(6, () =>
      decideChange(bob(), "approve", approved).then(
        () => "done",
        ({ message }: Error) => message,
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(5).fill("This change is already approved."), "done"]);
    expect(await standing(contractAddress)).toEqual(AFTER[kind]);
    expect(await openOf(contractAddress)).toEqual([]);
    // Only the approved change, not the next one too.
    if (kind !== "RULE") await expect(makeNext(kind, contractAddress)).rejects.toMatchObject(noProposal);
    if (kind === "GRANT")
      expect((await listIssuances(ann(), { contractAddress })).issuances[0]).toMatchObject({
        points: "10",
        grantedBy: "staff:ann@example.com",
        approvedBy: "staff:bob@example.com",
      });

    const audit = await db.sql<{ actor: string; action: string; detail: object }[]>`
      select actor, action, detail from audit_log
      where target = ${`contract:${contractAddress.toLowerCase()}`} order by id offset 2`;
    const applied = {
      GRANT: "points.grant",
      ISSUANCE: "contract.issuance",
      OPERATOR: "contract.operator",
      WAIT: "contract.wait",
    };
    const { operatorAddress: _, ...fields } = { operatorAddress: undefined, ...CHANGES[kind].fields };
    const entry = (by: string, action: string, reason: string) => ({
      actor: `staff:${by}@example.com`,
      action: `change.${action}`,
      detail: { ...fields, reason },
    });
    expect(audit).toMatchObject([
      entry("ann", "propose", "season"),
      entry("bob", "reject", "agreed"),
      entry("ann", "propose", "season"),
      entry("ann", "withdraw", "agreed"),
      entry("ann", "propose", "season"),
      entry("bob", "approve", "agreed"),
      ...(kind === "RULE" ? [] : [{ actor: "staff:bob@example.com", action: applied[kind] }]),
    ]);
  });
});

test.each(KINDS)(
  "a change of kind %s either comes before a rule that is approved at the same time, or is refused",
  async (kind) => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
    const rule = await proposed("RULE", contractAddress, { threshold: "10" });
    const making: Promise<string>[] = [];
    await db.sql.begin(async (tx) => {
      await tx`select 1 from contracts where address = ${addressToBytes(contractAddress)} for update`;
      const approving = decideChange(bob(), "approve", rule);
      await untilBlocked(db);
      making.push(
        CHANGES[kind].make(contractAddress).then(
          () => "made",
          ({ code }: { code: string }) => code,
        ),
        approving.then(() => "rule"),
      );
    });
    const [made] = await Promise.all(making);
    const wasMade = { made: AFTER[kind], not_allowed: BEFORE }[made!];
    expect(await standing(contractAddress)).toEqual(wasMade);
    const again = made === "made" ? makeNext(kind, contractAddress) : CHANGES[kind].make(contractAddress);
    await expect(again).rejects.toMatchObject({ code: "not_allowed" });
    expect(await standing(contractAddress)).toEqual(wasMade);
  },
);

const grant = (contractAddress: string, points: string, pointType: PointType = POINTS) =>
  grantPoints(ann(), { contractAddress, pointType, points });

test("a grant under a rule below the threshold, or of another type, is made immediately; without a threshold, none is", async () => {
  const contractAddress = await ruledContract();
  await grant(contractAddress, "9.999999999999");
  await grant(contractAddress, "1000", "PHASE2_GOLD");
  expect(await standing(contractAddress)).toMatchObject({ earned: "14.999999999999" });
  const unbounded = await ruledContract({ onUnusual: true });
  await expect(grant(unbounded, "0.01")).rejects.toMatchObject({ code: "not_allowed" });
});

test("rules require a second admin until the last one ends, whatever its point type", async () => {
  const contractAddress = await ruledContract();
  for (const [pointType, threshold] of [
    ["PHASE2_GOLD", "7"],
    [POINTS, null],
    ["PHASE2_GOLD", null],
  ] as const) {
    await expect(CHANGES.OPERATOR.make(contractAddress)).rejects.toMatchObject({ code: "not_allowed" });
    const change = await proposed("RULE", contractAddress, { pointType, threshold });
    await decideChange(bob(), "approve", change);
  }
  for (const kind of KINDS) await CHANGES[kind].make(contractAddress);
  expect(await standing(contractAddress)).toEqual({
    issuance: "ON_DEMAND",
    operator: OPERATOR,
    earned: "15",
    threshold: null,
    wait: 7200,
  });
});

test("under a rule, a longer default wait needs no second admin, a shorter one does, and the database refuses it too", async () => {
  const contractAddress = await ruledContract();
  const set = (seconds: number) => setDefaultWait(ann(), { contractAddress, seconds });
  const most = settings().DEFAULT_FINALIZE_SECONDS;
  await expect(set(most - 1)).rejects.toMatchObject({ code: "not_allowed" });
  await approve(await proposed("WAIT", contractAddress));
  for (const seconds of [7200, 7201, most]) await set(seconds);
  await expect(set(most - 1)).rejects.toMatchObject({ code: "not_allowed" });
  await expect(proposed("WAIT", contractAddress, { seconds: most + 1 })).rejects.toMatchObject({
    code: "validation_failed",
  });
  const { changeId } = await proposed("WAIT", contractAddress);
  const shorten = (applied: string) =>
    constraintOf(
      db.sql.unsafe(
        `update contracts set default_wait_seconds = 0 ${applied} where address = '\\x${contractAddress.slice(2)}'`,
      ),
    );
  const named = `, applied_change_id = '${changeId}', applied_decision = 'APPROVED', applied_effect = null`;
  expect([await shorten(""), await shorten(named)]).toEqual(Array(2).fill("contracts_second_admin"));
  expect(await shorten(`${named}, applied_at = now()`)).toBe("contracts_applied_change");
  expect(await standing(contractAddress)).toMatchObject({ wait: most });
});

const approve = (change: Awaited<ReturnType<typeof proposed>>) => decideChange(bob(), "approve", change);

test("a proposal that is no longer possible stays open, and says so: an operator after another one was set", async () => {
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "5" });
  const change = await proposed("OPERATOR", contractAddress);
  await setOperator(ann(), { contractAddress, operatorAddress: wallet(0xcd) });
  await expect(approve(change)).rejects.toThrow("operator was changed after this was proposed. Reject");
  expect(await standing(contractAddress)).toMatchObject({ operator: wallet(0xcd) });
  expect(await openOf(contractAddress)).toMatchObject([{ operatorBefore: null }]);
});

test.each([
  "operator_address = '\\x00000000000000000000000000000000000000ab'",
  "issuance = 'ON_DEMAND'",
  "approval_required = false",
])("the database itself refuses under a rule, without an approved change: %s", async (assignment) => {
  const contractAddress = await ruledContract();
  const change = await proposed("OPERATOR", contractAddress);
  const write = (applied: string) =>
    constraintOf(
      db.sql.unsafe(
        `update contracts set ${assignment} ${applied} where address = '\\x${contractAddress.slice(2)}'`,
      ),
    );
  expect(await write("")).toBe("contracts_second_admin");
  // An open change is not enough, whatever it is said to allow.
  const named = `, applied_change_id = '${change.changeId}', applied_decision = 'APPROVED'`;
  expect(await write(named)).toBe("contracts_second_admin");
  const effect = `case when '${assignment.replaceAll("'", "")}' like 'operator%' then 'OPERATOR 00000000000000000000000000000000000000ab'
      when '${assignment.replaceAll("'", "")}' like 'issuance%' then 'ISSUANCE ON_DEMAND' else 'RULE ' end`;
  expect(await write(`${named}, applied_effect = ${effect}, applied_at = now()`)).toMatch(
    /^contracts_applied_/,
  );
  expect(await standing(contractAddress)).toEqual(BEFORE);
});

test("the database itself refuses a grant of another amount than the approved one, and the approved one a second time", async () => {
  const contractAddress = await ruledContract();
  const contract = addressToBytes(contractAddress);
  const { changeId } = await proposed("GRANT", contractAddress);
  await decideChange(bob(), "approve", { contractAddress, changeId, reason: "agreed" });
  const grant = (points: string, effect: string) =>
    constraintOf(db.sql`
        insert into issuances (contract_address, point_type, points, granted_by, approved_by, change_id, change_effect, change_decided_at)
        select contract_address, point_type, ${points}::text::numeric, proposed_by, decided_by, id, ${effect}, decided_at
        from contract_changes where contract_address = ${contract} and id = ${changeId}`);
  expect(await grant("10", "GRANT PHASE2_POINTS 10.000000000000")).toBe("issuances_change_once");
  expect(await grant("11", "GRANT PHASE2_POINTS 10.000000000000")).toBe("issuances_change_effect");
  await proposed("GRANT", contractAddress);
  const [open] =
    await db.sql`select id from contract_changes where contract_address = ${contract} and decision is null`;
  const early = db.sql`
      insert into issuances (contract_address, point_type, points, granted_by, approved_by, change_id, change_effect, change_decided_at)
      values (${contract}, 'PHASE2_POINTS', 10, 'staff:a', 'staff:b', ${open!.id}, 'GRANT PHASE2_POINTS 10.000000000000', now())`;
  expect(await constraintOf(early)).toBe("issuances_change");
});

test("the database itself refuses that a proposer decides, or that a grant is approved by the person who proposed it", async () => {
  const { contractAddress, changeId } = await proposed("GRANT", await ruledContract());
  for (const decision of ["APPROVED", "REJECTED"]) {
    const decided = db.sql`
        update contract_changes set decision = ${decision}, decided_at = proposed_at, decided_by = proposed_by
        where contract_address = ${addressToBytes(contractAddress)} and id = ${changeId}`;
    expect(await constraintOf(decided)).toBe("contract_changes_second_person");
  }
  const stored = db.sql`
      insert into issuances (contract_address, point_type, points, granted_by, approved_by)
      values (${addressToBytes(contractAddress)}, 'PHASE2_POINTS', 1, 'staff:ann@example.com', 'staff:ann@example.com')`;
  expect(await constraintOf(stored)).toBe("issuances_second_person");
});
