import { expect, test } from "vitest";
import { admitCaller } from "@/server/auth/authorize-contract";
import { createAccessToken } from "@/server/auth/tokens";
import { countFacets } from "@/server/batches/list/count-batches";
import { findBatch } from "@/server/batches/list/get-batch";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { describeBatch } from "@/server/batches/review/describe-batch";
import { dryRunSubmit } from "@/server/batches/submit/dry-run-submit";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { endLeases, reviewAll } from "@/testing/catch-up";
import { constraintOf } from "@/testing/expectations";
import { batchOf, LIMITS, setRule, shifted, testContext, times, withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { approveBatch, rejectBatch } from "./approve-batch";
import { cancelBatch } from "./cancel-batch";
import { holdBatch, releaseBatch } from "./hold-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const [ANN, BOB] = ["staff:ann@example.com", "staff:bob@example.com"];

const auditOf = (contract: string, batchId = "b") =>
  db.sql`select actor, action, detail, request_id from audit_log
    where target = ${`batch:${contract}/${batchId}`} order by id`;

/** A due batch of 12.5 points. */
async function dueBatch() {
  const contract = await newContract();
  const rows = [[1, "10"] as const, [2, "2.5"] as const];
  await submit(contract, rows, { batchId: "b" });
  const key = { contractAddress: contract, batchId: "b" };
  return {
    contract,
    key,
    input: { ...key, reason: "looks odd" },
    found: () => findBatch(ann(), contract, "b"),
  };
}

test("cancelling a PENDING batch is never dated before the batch, even if its transaction began before the batch was stored", async () => {
  const contract = await newContract();
  await db.sql.begin(async (tx) => {
    await tx`select now()`;
    await submit(contract, [[1, "1"]], { batchId: "b" });
    const own = testContext({ ...db, sql: tx as never });
    await cancelBatch(own, { contractAddress: contract, batchId: "b" });
  });
  const { cancelledAt, createdAt } = await findBatch(context(), contract, "b");
  expect(cancelledAt!.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
});

test("cancelling a PENDING batch by a token is recorded in the batch, and by staff also in the audit log with the reason", async () => {
  const [byToken, byStaff] = [await dueBatch(), await dueBatch()];
  const [token, person] = [context("token:payouts"), ann()];
  await cancelBatch(token, byToken.key);
  await cancelBatch(person, { ...byStaff.key, reason: "sent twice" });
  const { requestId: cancelRequestId } = token;
  expect(await byToken.found()).toMatchObject({
    cancelledBy: token.actor,
    cancelReason: null,
    cancelRequestId,
  });
  expect(await auditOf(byToken.contract)).toHaveLength(0);
  expect(await byStaff.found()).toMatchObject({ cancelReason: "sent twice" });
  expect([...(await auditOf(byStaff.contract))]).toEqual([
    { actor: ANN, action: "batch.cancel", detail: { reason: "sent twice" }, request_id: person.requestId },
  ]);
});

test("a cancel is refused the second time, once a finalizer has claimed the batch, and for a batch that the contract does not have", async () => {
  const [cancelled, claimed] = [await dueBatch(), await dueBatch()];
  for (const other of [{ batchId: "B" }, { contractAddress: await newContract() }])
    await expect(cancelBatch(context(), { ...claimed.key, ...other })).rejects.toMatchObject({
      code: "batch_not_found",
    });
  await cancelBatch(context(), cancelled.key);
  const since = (await cancelled.found()).cancelledAt!.toISOString();
  await expect(cancelBatch(context(), cancelled.key)).rejects.toMatchObject({
    code: "not_cancellable",
    message: `The batch has been CANCELLED since ${since}.`,
    options: { extra: { batchStatus: "CANCELLED", since } },
  });
  expect(await balance(cancelled.contract)).toMatchObject({ available: "12.5", pendingSent: "0" });
  await claimDueBatches(db, crypto.randomUUID());
  const refused = (batchStatus: string) =>
    expect(cancelBatch(ann(), claimed.input)).rejects.toMatchObject({
      code: "not_cancellable",
      options: { extra: { batchStatus } },
    });
  await refused("FINALIZING");
  await endLeases(db);
  await finalize();
  await refused("FINALIZED");
  expect(await auditOf(claimed.contract)).toHaveLength(0);
});

test("a batch on hold is not finalized until it is released, no matter how long it is due, and looks unchanged to its contract", async () => {
  const { contract, input, found } = await dueBatch();
  const neighbour = await dueBatch();
  await submit(contract, [[1, "1"]], { batchId: "other" });
  const before = await found();
  await holdBatch(ann(), input);
  expect(await finalize()).toMatchObject({ dueLeft: 0 });
  expect((await neighbour.found()).status).toBe("FINALIZED");
  const { heldAt, heldBy, holdReason, ...after } = await found();
  expect(before).toMatchObject(after);
  expect([after.status, heldBy, holdReason]).toEqual(["PENDING", ANN, "looks odd"]);
  expect(heldAt!.getTime()).toBeGreaterThanOrEqual(before.createdAt.getTime());
  await releaseBatch(ann(), { ...input, reason: "it is right" });
  await finalize();
  expect((await found()).status).toBe("FINALIZED");
  expect((await balance(contract)).finalizedSentCumulative).toBe("13.5");
});

test("a batch on hold is not held twice, nor released without a hold, nor held once it is finalized or if it is unknown", async () => {
  const { input } = await dueBatch();
  await expect(releaseBatch(ann(), input)).rejects.toThrow("The batch is not on hold.");
  await holdBatch(ann(), input);
  await expect(holdBatch(ann(), input)).rejects.toThrow("The batch is already on hold.");
  await releaseBatch(ann(), input);
  await finalize();
  await expect(holdBatch(ann(), input)).rejects.toThrow("is FINALIZED");
  const unknown = { ...input, batchId: "none" };
  await expect(holdBatch(ann(), unknown)).rejects.toMatchObject({ code: "batch_not_found" });
});

const ann = () => context(ANN);

const bob = () => context(BOB);

const LATER = { secondsToFinalize: 3600 };

async function contractWithRule(rule: Parameters<typeof setRule>[2]) {
  const contract = await newContract();
  await setRule(db, contract, rule);
  return contract;
}

const keyOf = (contractAddress: string, batchId = "b") => ({ contractAddress, batchId, reason: "checked" });

const change = (contract: string, set: string) =>
  db.sql.unsafe(`update batches set ${set} where contract_address = '\\x${contract.slice(2)}'`);

/** A due batch over its contract's threshold, submitted by Ann or a token. */
async function awaitingBatch(by?: string) {
  const contract = await contractWithRule({ threshold: "10" });
  await submitBatch(context(by), LIMITS, batchOf(contract, [[1, "10"]], { batchId: "b" }));
  return { contract, key: keyOf(contract), stored: () => findBatch(ann(), contract, "b") };
}

test("a batch needs approval at the threshold, only of the rule's point type and contract", async () => {
  const [contract, other] = [await contractWithRule({ threshold: "10" }), await newContract()];
  await submit(contract, [[1, "10"]], { batchId: "at" });
  await submit(contract, [[1, "9.999999999999"]], { batchId: "below" });
  await submit(contract, [[1, "10"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
  await submit(other, [[1, "10"]], { batchId: "at" });
  await finalize();
  const statusOf = async (address: string, id: string) => (await findBatch(ann(), address, id)).status;
  expect(await statusOf(contract, "at")).toBe("PENDING");
  expect(await statusOf(contract, "below")).toBe("FINALIZED");
  expect(await statusOf(contract, "gold")).toBe("FINALIZED");
  expect(await statusOf(other, "at")).toBe("FINALIZED");
});

/** Submits, and returns what the batch needs an approval for: the dry run has said whether it needs one. */
async function needOf(contract: string, batchId: string, points: string, payoutId?: string) {
  const one = { ...batchOf(contract, [[1, points]], { batchId, ...LATER }), ...(payoutId && { payoutId }) };
  const { awaitingApproval = false } = await dryRunSubmit(ann(), LIMITS, one);
  await submit(one);
  const { awaitsApproval, approvalNeed } = await findBatch(ann(), contract, batchId);
  expect(awaitingApproval).toBe(awaitsApproval);
  return approvalNeed;
}

test("a batch needs approval from a sum of the day on, so that splitting does not avoid the threshold", async () => {
  const contract = await contractWithRule({ threshold: "100", dayThreshold: "300" });
  const send = (batchId: string, points: string) => needOf(contract, batchId, points);
  for (const batchId of ["1", "2", "3"]) expect(await send(batchId, "99.99")).toBeNull();
  expect(await send("4", "99.99")).toBe("DAY");
  // A repeat, a batch that needs approval and one of another type are not counted; what still fits passes.
  expect(await send("1", "99.99")).toBeNull();
  expect(await send("large", "100")).toBe("THRESHOLD");
  await submit(contract, [[1, "99"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
  expect(await send("5", "0.02")).toBeNull();
  expect(await send("6", "0.01")).toBe("DAY");
  await db.sql`update approval_rules set day = day - 1 where contract_address = ${addressToBytes(contract)}`;
  expect(await send("7", "99.99")).toBeNull();
});

test("a batch that joins a payout is weighed with the sum so far, and the dry run says so", async () => {
  const contract = await contractWithRule({ threshold: "300" });
  const send = (batchId: string, payoutId?: string) => needOf(contract, batchId, "99.99", payoutId);
  for (const batchId of ["1", "2", "3"]) expect(await send(batchId, "season")).toBeNull();
  expect(await send("4", "season")).toBe("THRESHOLD");
  // A repeat, another payout, and a batch of none are not added up, nor what was cancelled.
  expect(await send("1", "season")).toBeNull();
  expect(await send("5", "other")).toBeNull();
  expect(await send("6")).toBeNull();
  for (const batchId of ["1", "4"])
    await cancelBatch(ann(), { contractAddress: contract, batchId, reason: "wrong" });
  expect(await send("7", "season")).toBeNull();
  expect(await send("8", "season")).toBe("THRESHOLD");
});

test.each([
  [{ threshold: "100" }, "season"],
  [{ threshold: "100", dayThreshold: "1000" }, "season"],
  [{ dayThreshold: "100" }, undefined],
])(
  "eight concurrent batches never bring what passes a day or a payout to its threshold: %o, payout %s",
  async (rule, payoutId) => {
    for (let round = 0; round < 4; round++) {
      const contract = await contractWithRule(rule);
      const needs = await times(8, async (at) => {
        const batchId = `b${at}`;
        await submit({ ...batchOf(contract, [[1, "30"]], { batchId, ...LATER }), payoutId });
        return (await findBatch(ann(), contract, batchId)).approvalNeed;
      });
      expect(needs.filter((need) => need === null)).toHaveLength(3);
    }
  },
);

test("a submit locks a rule only in a transaction, as Citus would else find false deadlocks", async () => {
  const contract = await contractWithRule({ dayThreshold: "100" });
  const outside: string[] = [];
  const apply = (target: typeof db.sql, self: unknown, given: never) => {
    outside.push(String(given[0]));
    return Reflect.apply(target, self, given);
  };
  const sql = new Proxy(db.sql, { apply });
  await submitBatch(testContext({ ...db, sql }), LIMITS, batchOf(contract, [[1, "30"]], LATER));
  expect(outside.filter((text) => text.includes("for update"))).toEqual([]);
});

test("a batch needs approval after its review, if it found something unusual, and is not finalized before the review", async () => {
  const contract = await contractWithRule({ onUnusual: true });
  const afterReview = async (batchId: string, points: string) => {
    await submit(contract, [[1, points]], { batchId });
    await finalize();
    const before = await findBatch(ann(), contract, batchId);
    expect(before).toMatchObject({ status: "PENDING", approvalNeed: "REVIEW" });
    await reviewAll(db);
    await finalize();
    return await findBatch(ann(), contract, batchId);
  };
  expect(await afterReview("usual", "10")).toMatchObject({ status: "FINALIZED", approvalNeed: null });
  expect(await afterReview("same", "9")).toMatchObject({ status: "FINALIZED", approvalNeed: null });
  const odd = await afterReview("odd", "900");
  expect(odd).toMatchObject({ status: "PENDING", approvalNeed: "UNUSUAL", awaitsApproval: true });
  await approveBatch(bob(), keyOf(contract, "odd"));
  await finalize();
  expect((await findBatch(ann(), contract, "odd")).status).toBe("FINALIZED");
});

test("a batch needs approval if its review fails", async () => {
  const contract = await contractWithRule({ onUnusual: true });
  await submit(contract, [[1, "10"]], { batchId: "usual" });
  await reviewAll(db);
  await finalize();
  await submit(contract, [[1, "900"]], { batchId: "b" });
  await db.sql.unsafe(`
      create function refuse_review() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse_review before insert on batch_reviews for each row execute function refuse_review()`);
  await reviewAll(db);
  await db.sql.unsafe("drop function refuse_review() cascade");
  await finalize();
  const unreviewed = { status: "PENDING", approvalNeed: "NOT_REVIEWED" };
  expect(await findBatch(ann(), contract, "b")).toMatchObject(unreviewed);
});

test("a batch that awaits approval is never claimed, never overdue, and not among those that are finalized next", async () => {
  const { contract, key, stored } = await awaitingBatch();
  const own = { contractAddress: contract };
  const ids = async (filters: object) =>
    (await listConsoleBatches(ann(), { ...own, ...filters })).batches.map(({ id }) => id);
  const next = { unblocked: true, sort: "DUE" } as const;
  expect((await finalize()).dueLeft).toBe(0);
  expect((await stored()).status).toBe("PENDING");
  const late = `wait_seconds = -3600, finalize_at = ${shifted("created_at", -3600)}`;
  await withoutTriggers(db, `update batches set ${late} where contract_address = '\\x${contract.slice(2)}'`);
  const lists = () => Promise.all([ids({ overdue: true }), ids({ awaitingApproval: true }), ids(next)]);
  expect(await lists()).toEqual([[], ["b"], []]);
  expect(await countFacets(ann(), own)).toMatchObject({ counts: { OVERDUE: 0, AWAITING_APPROVAL: 1 } });
  await approveBatch(bob(), key);
  expect(await lists()).toEqual([["b"], [], ["b"]]);
  await holdBatch(bob(), key);
  expect(await lists()).toEqual([[], [], []]);
});

test("a batch that awaits approval is neither approved nor rejected by its submitter, who may cancel it", async () => {
  const { key, stored } = await awaitingBatch(ANN);
  const obstacle = "You submitted this batch. Another person must approve or reject it.";
  const who = "Operators and admins other than ann@example.com can approve or reject it.";
  const why = expect.stringContaining("approval threshold");
  expect((await describeBatch(ann(), key)).approval).toEqual({ why, who, obstacle });
  expect((await describeBatch(bob(), key)).approval).toEqual({ why, who, obstacle: null });
  await expect(approveBatch(ann(), key)).rejects.toMatchObject({ code: "not_allowed" });
  await expect(rejectBatch(ann(), key)).rejects.toMatchObject({ code: "not_allowed" });
  expect(await stored()).toMatchObject({ status: "PENDING", awaitsApproval: true });
  await cancelBatch(ann(), key);
});

test("a batch that awaits approval is neither approved nor rejected by the creator of the token that submitted it, also under another token's name", async () => {
  const contract = await contractWithRule({ threshold: "10" });
  const own = { contractAddress: contract, name: "payouts", expiresAt: null };
  const tokenOf = (maker: typeof ann) => createAccessToken(maker(), { ...own, scopes: ["batches:write"] });
  await tokenOf(ann);
  await tokenOf(bob);
  const authorization = `Bearer ${(await tokenOf(ann)).token}`;
  const replyHeaders = new Headers();
  const caller = await admitCaller({ db, authorization, clientAddress: "192.0.2.1", replyHeaders });
  await submitBatch({ ...context(), ...caller }, LIMITS, batchOf(contract, [[1, "10"]], { batchId: "b" }));
  const key = keyOf(contract);
  const words = expect.stringContaining("You created the access token");
  expect((await describeBatch(ann(), key)).approval?.obstacle).toEqual(words);
  for (const decide of [approveBatch, rejectBatch])
    await expect(decide(ann(), key)).rejects.toMatchObject({ code: "not_allowed", message: words });
  const direct = change(contract, `awaits_approval = false, approved_at = now(), approved_by = '${ANN}'`);
  expect(await constraintOf(direct)).toBe("batches_token_creator");
  await approveBatch(bob(), key);
  await finalize();
  expect((await findBatch(ann(), contract, "b")).status).toBe("FINALIZED");
});

test("a batch that awaits approval shows who decided and why, in its timeline and the audit log, and is not approved when that cannot be written", async () => {
  const refused = await awaitingBatch();
  await db.sql`alter table audit_log add constraint refused check (action <> 'batch.approve') not valid`;
  await expect(approveBatch(bob(), refused.key)).rejects.toThrow();
  await db.sql`alter table audit_log drop constraint refused`;
  expect(await refused.stored()).toMatchObject({ awaitsApproval: true, approvedAt: null });
  for (const [verb, event, decide] of [
    ["approve", "approved", approveBatch],
    ["reject", "rejected", rejectBatch],
  ] as const) {
    const { contract, key } = await awaitingBatch();
    await decide(bob(), key);
    const { timeline, approval } = await describeBatch(ann(), key);
    expect(timeline).toMatchObject([{ event: "created" }, { event, by: BOB, reason: "checked" }]);
    expect(approval).toBeNull();
    const audit = await db.sql`select actor, action from audit_log where target = ${`batch:${contract}/b`}`;
    expect([...audit]).toEqual([{ actor: BOB, action: `batch.${verb}` }]);
  }
});

const APPROVED = "awaits_approval = false, approved_at = now()";

test.each([
  [
    "a claim without approval",
    "status = 'FINALIZING', updated_at = now(), lease_until = now()",
    "batches_awaits_approval",
  ],
  ["an approval by the submitter", `${APPROVED}, approved_by = submitted_by`, "batches_second_person"],
  ["an approval without a person", APPROVED, "batches_second_person"],
  ["an end of the wait without approval", "awaits_approval = false", "batches_awaits_approval"],
  ["an end of the need", "awaits_approval = false, approval_need = null", "illegal change of batch"],
  ["another token's creator", "token_created_by = 'ops'", "illegal change of batch"],
  ["another submitter", "submitted_by = 'ops'", "illegal change of batch"],
  [
    "an approval that is taken back",
    "awaits_approval = true, approved_at = null, approved_by = null",
    "illegal change of batch",
  ],
])("the database itself refuses %s", async (what, set, words) => {
  const { contract, key } = await awaitingBatch();
  if (what.endsWith("taken back")) await approveBatch(bob(), key);
  await expect(change(contract, set)).rejects.toThrow(words);
});

const correcting = callerOf(db, "operator").batches;

const two = (contract: string, batchId: string, second = "2") => {
  const rows = [[1, "10.5"] as const, [2, second] as const];
  return { ...batchOf(contract, rows, { secondsToFinalize: 3600 }), batchId };
};

async function cancelled(batchId: string) {
  const contractAddress = await newContract();
  await correcting.submit(two(contractAddress, batchId));
  await correcting.cancel({ contractAddress, batchId, reason: "Wrong amounts" });
  return contractAddress;
}

const get = (contractAddress: string, batchId: string) => correcting.get({ contractAddress, batchId });

test("a correction and the cancelled batch link to one another, once, even if it is sent again", async () => {
  const contract = await cancelled("payout");
  const sent = { ...two(contract, "payout-2", "3"), corrects: "payout" };
  expect((await correcting.submit(sent)).replayed).toBe(false);
  expect((await correcting.submit(sent)).replayed).toBe(true);
  expect(await get(contract, "payout-2")).toMatchObject({ corrects: "payout", correctedBy: [] });
  expect(await get(contract, "payout")).toMatchObject({ corrects: null, correctedBy: ["payout-2"] });
});

test("only a cancelled batch of the same contract can be corrected, and a refused correction stores nothing", async () => {
  const contract = await newContract();
  await correcting.submit(two(contract, "open"));
  const other = await cancelled("elsewhere");
  for (const [corrects, words] of [
    ["open", "The batch open is PENDING. Only a cancelled batch can be corrected."],
    ["elsewhere", "The contract has no batch elsewhere."],
    ["new", "The contract has no batch new."],
  ] as const) {
    const sent = { ...two(contract, "new"), corrects };
    await expect(correcting.submit(sent)).rejects.toThrow(words);
    await expect(correcting.tryOut(sent)).rejects.toThrow(words);
  }
  await expect(get(contract, "new")).rejects.toThrow("The contract has no batch new");
  expect(await get(other, "elsewhere")).toMatchObject({ correctedBy: [] });
});
