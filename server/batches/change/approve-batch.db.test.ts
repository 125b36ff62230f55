import { describe, expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { reviewAll } from "@/testing/catch-up";
import { constraintOf } from "@/testing/expectations";
import { batchOf, LIMITS, setRule, shifted, withoutTriggers } from "@/testing/factories";
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
import { holdBatch } from "./hold-batch";

const { db, context, newContract, submit, finalize } = useLedger();

const [ANN, BOB] = ["staff:ann@example.com", "staff:bob@example.com"];
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

describe("a batch needs approval", () => {
  test("at the threshold, only of the rule's point type and contract", async () => {
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

  test("from a sum of the day on, so that splitting does not avoid the threshold", async () => {
    const contract = await contractWithRule({ threshold: "100", dayThreshold: "300" });
    const send = async (batchId: string, points: string) => {
      const one = batchOf(contract, [[1, points]], { batchId, ...LATER });
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
    const large = batchOf(contract, [[1, "10"]], { batchId: "b", ...LATER });
    const dryRun = () => dryRunSubmit(ann(), LIMITS, large);
    expect(await dryRun()).toMatchObject({ replayed: false, awaitingApproval: true });
    await submit(large);
    expect(await dryRun()).toMatchObject({ replayed: true, awaitingApproval: true });
    await approveBatch(bob(), keyOf(contract));
    expect(await dryRun()).not.toHaveProperty("awaitingApproval");
  });

  test("after its review, if it found something unusual, and is not finalized before the review", async () => {
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
    const unreviewed = { status: "PENDING", approvalNeed: "NOT_REVIEWED" };
    expect(await findBatch(ann(), contract, "b")).toMatchObject(unreviewed);
  });
});

describe("a batch that awaits approval", () => {
  test("is never claimed, never overdue, and not among those that are finalized next", async () => {
    const { contract, key, stored } = await awaitingBatch();
    const own = { contractAddress: contract };
    const ids = async (filters: object) =>
      (await listConsoleBatches(ann(), { ...own, ...filters })).batches.map(({ id }) => id);
    const next = { unblocked: true, sort: "DUE" } as const;
    expect((await finalize()).dueLeft).toBe(0);
    expect((await stored()).status).toBe("PENDING");
    const late = `wait_seconds = -3600, finalize_at = ${shifted("created_at", -3600)}`;
    await withoutTriggers(
      db,
      `update batches set ${late} where contract_address = '\\x${contract.slice(2)}'`,
    );
    const lists = () => Promise.all([ids({ overdue: true }), ids({ awaitingApproval: true }), ids(next)]);
    expect(await lists()).toEqual([[], ["b"], []]);
    expect(await countFacets(ann(), own)).toMatchObject({ overdue: 0, awaitingApproval: 1 });
    await approveBatch(bob(), key);
    expect(await lists()).toEqual([["b"], [], ["b"]]);
    await holdBatch(bob(), key);
    expect(await lists()).toEqual([[], [], []]);
  });

  test("is neither approved nor rejected by its submitter, who may cancel it", async () => {
    const { key, stored } = await awaitingBatch(ANN);
    const obstacle = "You submitted this batch. Another person must approve or reject it.";
    expect((await describeBatch(ann(), key)).approval).toEqual({ need: "THRESHOLD", obstacle });
    expect((await describeBatch(bob(), key)).approval).toEqual({ need: "THRESHOLD", obstacle: null });
    await expect(approveBatch(ann(), key)).rejects.toMatchObject({ code: "not_allowed" });
    await expect(rejectBatch(ann(), key)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await stored()).toMatchObject({ status: "PENDING", awaitsApproval: true });
    await cancelBatch(ann(), key);
  });

  test("is neither approved nor rejected by the creator of the token that submitted it, also under another token's name", async () => {
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

  test("can be approved before its review is done, which then changes nothing", async () => {
    const contract = await contractWithRule({ onUnusual: true });
    await submit(contract, [[1, "1"]], { batchId: "b", ...LATER });
    await approveBatch(bob(), keyOf(contract));
    await reviewAll(db);
    const approved = { approvalNeed: "REVIEW", approvedBy: BOB, awaitsApproval: false };
    expect(await findBatch(ann(), contract, "b")).toMatchObject(approved);
  });

  test("shows who decided and why, in its timeline and the audit log, and is not approved when that cannot be written", async () => {
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
