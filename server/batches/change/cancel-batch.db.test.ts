import { describe, expect, test } from "vitest";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { endLeases } from "@/testing/catch-up";
import { answerStatement } from "@/testing/changed-statements";
import { constraintOf } from "@/testing/expectations";
import { batchOf, LIMITS, testContext, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { claimDueBatches } from "../../finalizer/claim-due-batches";
import { addressToBytes } from "../../kernel/values/addresses";
import { findBatch } from "../list/get-batch";
import { describeBatch } from "../review/describe-batch";
import { submitBatch } from "../submit/submit-batch";
import { cancelBatch } from "./cancel-batch";
import { holdBatch, releaseBatch } from "./hold-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const ANN = "staff:ann@example.com";
const staff = () => context(ANN);
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
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
    found: () => findBatch(staff(), contract, "b"),
  };
}

describe("cancelling a PENDING batch", () => {
  test("returns its points and keeps them issued, and it is never settled, although it is due", async () => {
    const { contract, key, found } = await dueBatch();
    expect(await cancelBatch(context(), key)).toEqual({ batchId: "b" });
    await finalize();
    expect(await balance(contract)).toEqual({
      available: "12.5",
      pendingSent: "0",
      earnedCumulative: "12.5",
      receivedCumulative: "0",
      finalizedSentCumulative: "0",
    });
    const batch = await found();
    expect(batch).toMatchObject({
      status: "CANCELLED",
      updatedAt: batch.cancelledAt,
      finalizeAt: batch.createdAt,
    });
    await submit(contract, [[1, "12"]]);
    expect(await balance(contract)).toMatchObject({ available: "0.5", earnedCumulative: "12.5" });
  });

  test("is never dated before the batch, even if its transaction began before the batch was stored", async () => {
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

  test("by a token is recorded in the batch, and by staff also in the audit log with the reason", async () => {
    const [byToken, byStaff] = [await dueBatch(), await dueBatch()];
    const [token, person] = [context("token:payouts"), staff()];
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
    expect(cancelBatch(staff(), claimed.input)).rejects.toMatchObject({
      code: "not_cancellable",
      options: { extra: { batchStatus } },
    });
  await refused("FINALIZING");
  await endLeases(db);
  await finalize();
  await refused("FINALIZED");
  expect(await auditOf(claimed.contract)).toHaveLength(0);
});

describe("a batch that is stored between the two steps of a cancel", () => {
  const cancelThrough = (contract: string, answer: Parameters<typeof answerStatement>[2]) => {
    const own = testContext(answerStatement(db, "set status = 'CANCELLED'", answer));
    return cancelBatch(own, { contractAddress: contract, batchId: "b" });
  };

  test("is looked up again and cancelled", async () => {
    const contract = await newContract();
    let looks = 0;
    const cancelled = await cancelThrough(contract, async (ask) => {
      const changed = await ask();
      if (++looks === 1) await submit(contract, [[1, "1"]], { batchId: "b" });
      return changed;
    });
    expect([cancelled, looks]).toEqual([{ batchId: "b" }, 2]);
    expect((await findBatch(context(), contract, "b")).status).toBe("CANCELLED");
  });

  test("stays PENDING after five attempts, and the caller is asked to retry", async () => {
    const { contract, found } = await dueBatch();
    let looks = 0;
    const refused = cancelThrough(contract, async () => {
      looks++;
      return [];
    });
    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      options: { headers: { "Retry-After": "1" } },
    });
    expect(looks).toBe(5);
    expect((await found()).status).toBe("PENDING");
  });
});

describe("a batch on hold", () => {
  test("is not finalized until it is released, no matter how long it is due, and looks unchanged to its contract", async () => {
    const { contract, input, found } = await dueBatch();
    const neighbour = await dueBatch();
    await submit(contract, [[1, "1"]], { batchId: "other" });
    const before = await found();
    await holdBatch(staff(), input);
    expect(await finalize()).toMatchObject({ dueLeft: 0 });
    expect((await neighbour.found()).status).toBe("FINALIZED");
    const { heldAt, heldBy, holdReason, ...after } = await found();
    expect(before).toMatchObject(after);
    expect([after.status, heldBy, holdReason]).toEqual(["PENDING", ANN, "looks odd"]);
    expect(heldAt!.getTime()).toBeGreaterThanOrEqual(before.createdAt.getTime());
    await releaseBatch(staff(), { ...input, reason: "it is right" });
    await finalize();
    expect((await found()).status).toBe("FINALIZED");
    expect((await balance(contract)).finalizedSentCumulative).toBe("13.5");
  });

  test("cannot be claimed with plain SQL either", async () => {
    const { input } = await dueBatch();
    await holdBatch(staff(), input);
    const claim = withoutTriggers(db, "update batches set status = 'FINALIZING' where held_at is not null");
    expect(await constraintOf(claim)).toMatch(/^batches_/);
  });

  test("sends webhooks in the order of events, even if all transactions began before the batch was stored", async () => {
    const contract = await newContract();
    const url = "https://receiver.example.com/";
    const events = ["batch.created", "batch.held", "batch.released"] as const;
    const rules = { serviceSecret: "secret-of-this-test", allowPrivate: true };
    await createEndpoint(staff(), { contractAddress: contract, url, events }, rules);
    await db.sql.begin(async (tx) => {
      await tx`select now()`;
      const own = testContext({ ...db, sql: tx as never }, ANN);
      const input = { contractAddress: contract, batchId: "late", reason: "looks odd" };
      await pause();
      await submitBatch(own, LIMITS, batchOf(contract, [[2, "1"]], { batchId: "late" }));
      await pause();
      await holdBatch(own, input);
      await pause();
      await releaseBatch(own, input);
    });
    const sent = await db.sql<{ event: string }[]>`
      select event from webhook_deliveries where contract_address = ${addressToBytes(contract)} order by event_at`;
    expect(sent.map(({ event }) => event)).toEqual(events);
  });

  test("is in the timeline and the audit log, with person, time and reason", async () => {
    const { contract, input } = await dueBatch();
    await holdBatch(staff(), input);
    await releaseBatch(staff(), { ...input, reason: "it is right" });
    await holdBatch(staff(), { ...input, reason: "or not" });
    const { timeline, heldAt, hold } = await describeBatch(staff(), input);
    expect(heldAt).not.toBeNull();
    expect(hold).toEqual({ by: ANN, reason: "or not" });
    expect(timeline.map(({ event, by, reason }) => [event, by, reason])).toEqual([
      ["created", "token:test", null],
      ["held", ANN, "looks odd"],
      ["released", ANN, "it is right"],
      ["held", ANN, "or not"],
    ]);
    const actions = (await auditOf(contract)).map(({ action }) => action);
    expect(actions).toEqual(["batch.hold", "batch.release", "batch.hold"]);
  });

  test("is not held twice, nor released without a hold, nor held once it is finalized or if it is unknown", async () => {
    const { input } = await dueBatch();
    await expect(releaseBatch(staff(), input)).rejects.toThrow("The batch is not on hold.");
    await holdBatch(staff(), input);
    await expect(holdBatch(staff(), input)).rejects.toThrow("The batch is already on hold.");
    await releaseBatch(staff(), input);
    await finalize();
    await expect(holdBatch(staff(), input)).rejects.toThrow("is FINALIZED");
    const unknown = { ...input, batchId: "none" };
    await expect(holdBatch(staff(), unknown)).rejects.toMatchObject({ code: "batch_not_found" });
  });
});
