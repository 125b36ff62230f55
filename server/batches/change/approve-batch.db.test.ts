import { describe, expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { reviewAll } from "@/testing/catch-up";
import { constraintOf } from "@/testing/expect-refusal";
import { batchOf, LIMITS, shifted, times, withoutTriggers } from "@/testing/factories";
import { setRule } from "@/testing/set-rule";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller } from "../../auth/authorize-contract";
import { addressToBytes } from "../../kernel/values/addresses";
import { countFacets } from "../list/count-batches";
import { findBatch } from "../list/get-batch";
import { listConsoleBatches } from "../list/list-console-batches";
import { describeBatch } from "../review/describe-batch";
import { dryRunSubmit } from "../submit/dry-run-submit";
import { submitBatch } from "../submit/submit-batch";
import { approveBatch, rejectBatch } from "./approve-batch";
import { cancelBatch } from "./cancel-batch";
import { holdBatch, releaseBatch } from "./hold-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const ann = () => context("staff:ann@example.com");
const bob = () => context("staff:bob@example.com");

async function contractWithRule(rule: Parameters<typeof setRule>[2]) {
  const contract = await newContract();
  await setRule(db, contract, rule);
  return contract;
}

/** A due batch over its contract's threshold, submitted by Ann or a token. */
async function awaitingBatch(by?: string) {
  const contract = await contractWithRule({ threshold: "10" });
  await submit(contract, [[1, "10"]], { batchId: "b" });
  if (by)
    await withoutTriggers(
      db,
      `update batches set submitted_by = '${by}' where contract_address = '\\x${contract.slice(2)}'`,
    );
  const key = { contractAddress: contract, batchId: "b", reason: "checked" };
  const stored = () => findBatch(ann(), contract, "b");
  return { contract, key, stored, status: async () => (await stored()).status };
}

describe("a batch needs approval", () => {
  test.each([
    ["at the threshold", "10", true],
    ["above it", "10.000000000001", true],
    ["not below it", "9.999999999999", false],
  ])("%s", async (_, points, awaitsApproval) => {
    const contract = await contractWithRule({ threshold: "10" });
    await submit(contract, [[1, points]], { batchId: "b" });
    expect(await findBatch(ann(), contract, "b")).toMatchObject({ awaitsApproval });
    await finalize();
    expect((await findBatch(ann(), contract, "b")).status).toBe(awaitsApproval ? "PENDING" : "FINALIZED");
  });

  test("only of the rule's point type and contract", async () => {
    const contract = await contractWithRule({ threshold: "1" });
    const other = await newContract();
    await submit(contract, [[1, "10"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
    await submit(other, [[1, "10"]], { batchId: "b" });
    await finalize();
    expect((await findBatch(ann(), contract, "gold")).status).toBe("FINALIZED");
    expect((await findBatch(ann(), other, "b")).status).toBe("FINALIZED");
  });

  test("from a sum of the day on, so that splitting does not avoid the threshold", async () => {
    const contract = await contractWithRule({ threshold: "100", dayThreshold: "300" });
    const send = async (batchId: string, points: string) => {
      const one = batchOf(contract, [[1, points]], { batchId, secondsToFinalize: 3600 });
      const { awaitingApproval = false } = await dryRunSubmit(ann(), LIMITS, one);
      await submit(one);
      const { awaitsApproval, approvalNeed } = await findBatch(ann(), contract, batchId);
      expect(awaitingApproval).toBe(awaitsApproval);
      return approvalNeed;
    };
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

  test("and a dry run says so, for a new and a stored batch, until it is approved", async () => {
    const contract = await contractWithRule({ threshold: "10" });
    const large = batchOf(contract, [[1, "10"]], { batchId: "b", secondsToFinalize: 3600 });
    const dryRun = () => dryRunSubmit(ann(), LIMITS, large);
    expect(await dryRun()).toMatchObject({ replayed: false, awaitingApproval: true });
    await submit(large);
    expect(await dryRun()).toMatchObject({ replayed: true, awaitingApproval: true });
    await approveBatch(bob(), { contractAddress: contract, batchId: "b", reason: "checked" });
    expect(await dryRun()).not.toHaveProperty("awaitingApproval");
    const small = batchOf(contract, [[1, "9"]], { batchId: "small" });
    expect(await dryRunSubmit(ann(), LIMITS, small)).not.toHaveProperty("awaitingApproval");
  });

  test("after its review, if it found something unusual, and is not finalized before the review", async () => {
    const contract = await contractWithRule({ onUnusual: true });
    const afterReview = async (batchId: string, points: string) => {
      await submit(contract, [[1, points]], { batchId });
      await finalize();
      expect(await findBatch(ann(), contract, batchId)).toMatchObject({
        status: "PENDING",
        approvalNeed: "REVIEW",
      });
      await reviewAll(db);
      await finalize();
      return await findBatch(ann(), contract, batchId);
    };
    expect(await afterReview("usual", "10")).toMatchObject({ status: "FINALIZED", approvalNeed: null });
    expect(await afterReview("same", "9")).toMatchObject({ status: "FINALIZED", approvalNeed: null });
    const odd = await afterReview("odd", "900");
    expect(odd).toMatchObject({ status: "PENDING", approvalNeed: "UNUSUAL", awaitsApproval: true });
    await approveBatch(bob(), { contractAddress: contract, batchId: "odd", reason: "expected" });
    await finalize();
    expect((await findBatch(ann(), contract, "odd")).status).toBe("FINALIZED");
  });

  test("if its review fails", async () => {
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
    expect(await findBatch(ann(), contract, "b")).toMatchObject({
      status: "PENDING",
      approvalNeed: "NOT_REVIEWED",
    });
  });
});

describe("a batch that awaits approval", () => {
  test("is never claimed, and never overdue", async () => {
    const { contract, status } = await awaitingBatch();
    expect((await finalize()).dueLeft).toBe(0);
    expect(await status()).toBe("PENDING");
    await withoutTriggers(
      db,
      `update batches set wait_seconds = -3600, finalize_at = ${shifted("created_at", -3600)} where contract_address = '\\x${contract.slice(2)}'`,
    );
    const overdue = await listConsoleBatches(ann(), { contractAddress: contract, overdue: true });
    expect(overdue.batches).toEqual([]);
    const awaiting = await listConsoleBatches(ann(), { contractAddress: contract, awaitingApproval: true });
    expect(awaiting.batches).toMatchObject([{ id: "b", awaitsApproval: true }]);
    expect(await countFacets(ann(), { contractAddress: contract })).toMatchObject({
      overdue: 0,
      awaitingApproval: 1,
    });
    await approveBatch(bob(), { contractAddress: contract, batchId: "b", reason: "checked" });
    await finalize();
    expect(await status()).toBe("FINALIZED");
  });

  test("is not among those that are finalized next, and neither is one on hold", async () => {
    const { contract } = await awaitingBatch();
    const next = { contractAddress: contract, unblocked: true, sort: "DUE" } as const;
    const ids = async () => (await listConsoleBatches(ann(), next)).batches.map(({ id }) => id);
    expect(await ids()).toEqual([]);
    await approveBatch(bob(), { contractAddress: contract, batchId: "b", reason: "checked" });
    expect(await ids()).toEqual(["b"]);
    await holdBatch(bob(), { contractAddress: contract, batchId: "b", reason: "amounts" });
    expect(await ids()).toEqual([]);
  });

  test("is finalized once another person approves it, immediately if it is due", async () => {
    const { contract, key, stored } = await awaitingBatch("staff:ann@example.com");
    await approveBatch(bob(), key);
    expect((await finalize()).batchesFinalized).toBe(1);
    expect(await stored()).toMatchObject({ status: "FINALIZED", approvedBy: "staff:bob@example.com" });
    expect((await balance(contract)).finalizedSentCumulative).toBe("10");
  });

  test("is cancelled once another person rejects it, and its points are released once", async () => {
    const { contract, key, stored } = await awaitingBatch("staff:ann@example.com");
    await rejectBatch(bob(), { ...key, reason: "not ours" });
    expect(await stored()).toMatchObject({
      status: "CANCELLED",
      cancelledBy: "staff:bob@example.com",
      cancelReason: "not ours",
    });
    expect(await balance(contract)).toMatchObject({ pendingSent: "0" });
    await expect(rejectBatch(bob(), key)).rejects.toThrow("is CANCELLED");
    await expect(approveBatch(bob(), key)).rejects.toThrow("is CANCELLED");
  });

  test("is neither approved nor rejected by its submitter, who may cancel it", async () => {
    const { key, stored } = await awaitingBatch("staff:ann@example.com");
    await expect(approveBatch(ann(), key)).rejects.toMatchObject({ code: "not_allowed" });
    await expect(rejectBatch(ann(), key)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await stored()).toMatchObject({ status: "PENDING", awaitsApproval: true });
    await cancelBatch(ann(), key);
  });

  test("is neither approved nor rejected by the creator of the token that submitted it, also under another token's name", async () => {
    const contract = await contractWithRule({ threshold: "10" });
    const contractAddress = contract;
    for (const maker of [ann(), bob()])
      await createAccessToken(maker, {
        contractAddress,
        name: "payouts",
        scopes: ["batches:write"],
        expiresAt: null,
      });
    const { token } = await createAccessToken(ann(), {
      contractAddress,
      name: "payouts",
      scopes: ["batches:write"],
      expiresAt: null,
    });
    const caller = await admitCaller({
      db,
      authorization: `Bearer ${token}`,
      clientAddress: "192.0.2.1",
      replyHeaders: new Headers(),
    });
    await submitBatch({ ...context(), ...caller }, LIMITS, batchOf(contract, [[1, "10"]], { batchId: "b" }));
    const key = { contractAddress, batchId: "b", reason: "checked" };
    const refused = { code: "not_allowed", message: expect.stringContaining("You created the access token") };
    expect((await describeBatch(ann(), key)).approval?.obstacle).toContain("You created the access token");
    await expect(approveBatch(ann(), key)).rejects.toMatchObject(refused);
    await expect(rejectBatch(ann(), key)).rejects.toMatchObject(refused);
    const direct = db.sql`
      update batches set awaits_approval = false, approved_at = now(), approved_by = 'staff:ann@example.com'
      where contract_address = ${addressToBytes(contract)}`;
    expect(await constraintOf(direct)).toBe("batches_token_creator");
    await approveBatch(bob(), key);
    await finalize();
    expect((await findBatch(ann(), contract, "b")).status).toBe("FINALIZED");
  });

  test("can be approved before its review is done, which then changes nothing", async () => {
    const contract = await contractWithRule({ onUnusual: true });
    await submit(contract, [[1, "1"]], { batchId: "b", secondsToFinalize: 3600 });
    await approveBatch(bob(), { contractAddress: contract, batchId: "b", reason: "looked" });
    await reviewAll(db);
    expect(await findBatch(ann(), contract, "b")).toMatchObject({
      approvalNeed: "REVIEW",
      approvedBy: "staff:bob@example.com",
      awaitsApproval: false,
    });
  });

  test("can be put on hold, and needs both a release and an approval", async () => {
    const { key, status } = await awaitingBatch();
    await holdBatch(ann(), key);
    await approveBatch(bob(), key);
    await finalize();
    expect(await status()).toBe("PENDING");
    await releaseBatch(ann(), key);
    await finalize();
    expect(await status()).toBe("FINALIZED");
  });

  test("shows who decided and why, in its timeline and the audit log", async () => {
    const approved = await awaitingBatch();
    const rejected = await awaitingBatch();
    await approveBatch(bob(), approved.key);
    await rejectBatch(bob(), { ...rejected.key, reason: "not ours" });
    expect((await describeBatch(ann(), approved.key)).timeline).toMatchObject([
      { event: "created" },
      { event: "approved", by: "staff:bob@example.com", reason: "checked" },
    ]);
    expect((await describeBatch(ann(), rejected.key)).timeline).toMatchObject([
      { event: "created" },
      { event: "rejected", by: "staff:bob@example.com", reason: "not ours" },
    ]);
    const audit = await db.sql`
      select actor, action from audit_log where action in ('batch.approve', 'batch.reject', 'batch.cancel')
        and target like ${`%${approved.contract.toLowerCase()}/b`} or target like ${`%${rejected.contract.toLowerCase()}/b`} order by id`;
    expect(audit).toMatchObject([
      { actor: "staff:bob@example.com", action: "batch.approve" },
      { actor: "staff:bob@example.com", action: "batch.reject" },
    ]);
  });

  test("says on its page why, and whether the reader may decide", async () => {
    const { key } = await awaitingBatch("staff:ann@example.com");
    expect((await describeBatch(ann(), key)).approval).toEqual({
      need: "THRESHOLD",
      obstacle: "You submitted this batch. Another person must approve or reject it.",
    });
    expect((await describeBatch(bob(), key)).approval).toEqual({ need: "THRESHOLD", obstacle: null });
    await approveBatch(bob(), key);
    expect((await describeBatch(bob(), key)).approval).toBeNull();
  });

  test("is not approved when the decision cannot be audited", async () => {
    const { key, stored } = await awaitingBatch();
    await db.sql`alter table audit_log add constraint refused check (action <> 'batch.approve') not valid`;
    await expect(approveBatch(bob(), key)).rejects.toThrow();
    await db.sql`alter table audit_log drop constraint refused`;
    expect(await stored()).toMatchObject({ awaitsApproval: true, approvedAt: null });
  });
});

describe("the database itself refuses", () => {
  const change = (contract: string, set: string) =>
    db.sql.unsafe(`update batches set ${set} where contract_address = '\\x${contract.slice(2)}'`);

  test.each([
    [
      "a claim without approval",
      "status = 'FINALIZING', updated_at = now(), lease_until = now()",
      "batches_awaits_approval",
    ],
    [
      "an approval by the submitter",
      "awaits_approval = false, approved_at = now(), approved_by = submitted_by",
      "batches_second_person",
    ],
    ["an approval without a person", "awaits_approval = false, approved_at = now()", "batches_second_person"],
    ["an end of the wait without approval", "awaits_approval = false", "batches_awaits_approval"],
    ["an end of the need", "awaits_approval = false, approval_need = null", "illegal change of batch"],
    ["another token's creator", "token_created_by = 'ops'", "illegal change of batch"],
    ["another submitter", "submitted_by = 'ops'", "illegal change of batch"],
  ])("%s", async (_, set, words) => {
    const { contract, key } = await awaitingBatch();
    await expect(change(contract, set)).rejects.toThrow(words);
    await cancelBatch(ann(), key);
  });

  test("an approval that is taken back", async () => {
    const { contract, key } = await awaitingBatch();
    await approveBatch(bob(), key);
    const takenBack = change(contract, "awaits_approval = true, approved_at = null, approved_by = null");
    await expect(takenBack).rejects.toThrow("illegal change of batch");
    await cancelBatch(ann(), key);
  });
});

test("of concurrent approvals, rejections, cancels and finalizers one outcome wins, and only an approved batch is settled", async () => {
  for (let round = 0; round < 20; round++) {
    const { key, stored } = await awaitingBatch();
    const outcomes = await times(8, (at) =>
      [
        () => approveBatch(bob(), key).then(() => "approved"),
        () => rejectBatch(bob(), key).then(() => "rejected"),
        () => finalize().then(() => "ran"),
        () => cancelBatch(ann(), key).then(() => "cancelled"),
      ][at % 4]!().catch(() => "refused"),
    );
    const approvals = outcomes.filter((outcome) => outcome === "approved").length;
    const ends = outcomes.filter((outcome) => outcome === "rejected" || outcome === "cancelled").length;
    expect(approvals).toBeLessThanOrEqual(1);
    expect(ends).toBeLessThanOrEqual(1);
    await finalize();
    const { status } = await stored();
    expect(status).toBe(ends === 1 ? "CANCELLED" : "FINALIZED");
    if (status === "FINALIZED") expect(approvals).toBe(1);
  }
});
