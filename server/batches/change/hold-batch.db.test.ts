import { describe, expect, test } from "vitest";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { constraintOf } from "@/testing/expect-refusal";
import { batchOf, LIMITS, testContext, times, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../../kernel/values/addresses";
import { countFacets } from "../list/count-batches";
import { findBatch } from "../list/get-batch";
import { listConsoleBatches } from "../list/list-console-batches";
import { describeBatch } from "../review/describe-batch";
import { submitBatch } from "../submit/submit-batch";
import { cancelBatch } from "./cancel-batch";
import { holdBatch, releaseBatch } from "./hold-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const staff = () => context("staff:ann@example.com");
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
async function dueBatch() {
  const contract = await newContract();
  await submit(contract, [[1, "10"]], { batchId: "b" });
  const input = { contractAddress: contract, batchId: "b", reason: "looks odd" };
  return { contract, input, status: async () => (await findBatch(staff(), contract, "b")).status };
}

describe("a batch on hold", () => {
  test("is not finalized until it is released, no matter how long it is due", async () => {
    const { contract, input, status } = await dueBatch();
    await holdBatch(staff(), input);
    expect((await finalize()).dueLeft).toBe(0);
    expect(await status()).toBe("PENDING");
    await releaseBatch(staff(), { ...input, reason: "it is right" });
    await finalize();
    expect(await status()).toBe("FINALIZED");
    expect((await balance(contract)).finalizedSentCumulative).toBe("10");
  });

  test("looks PENDING and unchanged to its contract", async () => {
    const { contract, input } = await dueBatch();
    const before = await findBatch(staff(), contract, "b");
    await holdBatch(staff(), input);
    const { heldAt, heldBy, holdReason, ...after } = await findBatch(staff(), contract, "b");
    expect(before).toMatchObject(after);
    expect([heldBy, holdReason]).toEqual(["staff:ann@example.com", "looks odd"]);
    expect(heldAt!.getTime()).toBeGreaterThanOrEqual(before.createdAt.getTime());
  });

  test("is held and released without other batches of its contract, or the same ID of another contract", async () => {
    const { contract, input } = await dueBatch();
    const neighbour = await dueBatch();
    await submit(contract, [[1, "1"]], { batchId: "other" });
    const others = [neighbour.input, { ...input, batchId: "other" }];
    const held = () =>
      Promise.all(
        [input, ...others].map(
          async (of) => (await findBatch(staff(), of.contractAddress, of.batchId)).heldBy !== null,
        ),
      );
    await holdBatch(staff(), input);
    expect(await held()).toEqual([true, false, false]);
    for (const other of others) await holdBatch(staff(), other);
    await releaseBatch(staff(), input);
    expect(await held()).toEqual([false, true, true]);
    for (const other of others) await cancelBatch(staff(), other);
    await finalize();
  });

  test("can be cancelled, and still shows who put it on hold", async () => {
    const { contract, input, status } = await dueBatch();
    await holdBatch(staff(), input);
    await cancelBatch(staff(), input);
    expect(await status()).toBe("CANCELLED");
    expect((await balance(contract)).pendingSent).toBe("0");
    await expect(releaseBatch(staff(), input)).rejects.toMatchObject({
      message: expect.stringContaining("is CANCELLED"),
    });
    expect((await findBatch(staff(), contract, "b")).heldBy).toBe("staff:ann@example.com");
  });

  test("cannot be claimed with plain SQL either", async () => {
    const { input } = await dueBatch();
    await holdBatch(staff(), input);
    const claim = withoutTriggers(db, "update batches set status = 'FINALIZING' where held_at is not null");
    expect(await constraintOf(claim)).toMatch(/^batches_/);
    await releaseBatch(staff(), input);
    await finalize();
  });

  test("sends webhooks in the order of events, even if all transactions began before the batch was stored", async () => {
    const { contract } = await dueBatch();
    const url = "https://receiver.example.com/";
    const events = ["batch.created", "batch.held", "batch.released"] as const;
    const rules = { serviceSecret: "secret-of-this-test", allowPrivate: true };
    await createEndpoint(staff(), { contractAddress: contract, url, events }, rules);
    await db.sql.begin(async (tx) => {
      await tx`select now()`;
      const own = testContext({ ...db, sql: tx as never }, "staff:ann@example.com");
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
    await finalize();
  });

  test("is in the timeline and the audit log, with person, time and reason", async () => {
    const { contract, input } = await dueBatch();
    await holdBatch(staff(), input);
    await releaseBatch(staff(), { ...input, reason: "it is right" });
    await holdBatch(staff(), { ...input, reason: "or not" });
    const { timeline, heldAt, hold } = await describeBatch(staff(), input);
    expect(heldAt).not.toBeNull();
    expect(hold).toEqual({ by: "staff:ann@example.com", reason: "or not" });
    expect(timeline.map(({ event, by, reason }) => [event, by, reason])).toEqual([
      ["created", "token:test", null],
      ["held", "staff:ann@example.com", "looks odd"],
      ["released", "staff:ann@example.com", "it is right"],
      ["held", "staff:ann@example.com", "or not"],
    ]);
    const target = `batch:${contract}/b`;
    const audit = await db.sql`select action from audit_log where target = ${target} order by id`;
    expect(audit.map(({ action }) => action)).toEqual(["batch.hold", "batch.release", "batch.hold"]);
    await cancelBatch(staff(), input);
  });

  test("is found and counted by its filter, and is not overdue", async () => {
    const { contract, input } = await dueBatch();
    const own = { contractAddress: contract };
    await holdBatch(staff(), input);
    const held = await listConsoleBatches(staff(), { ...own, held: true });
    expect(held.batches.map(({ id, heldAt }) => [id, heldAt !== null])).toEqual([["b", true]]);
    expect((await listConsoleBatches(staff(), { ...own, overdue: true })).batches).toEqual([]);
    expect(await countFacets(staff(), own)).toMatchObject({ held: 1, overdue: 0, statuses: { PENDING: 1 } });
    await cancelBatch(staff(), input);
  });
});

describe("putting a batch on hold is refused", () => {
  test("the second time, and so is releasing a batch that is not on hold", async () => {
    const { input } = await dueBatch();
    await expect(releaseBatch(staff(), input)).rejects.toMatchObject({
      message: "The batch is not on hold.",
    });
    await holdBatch(staff(), input);
    await expect(holdBatch(staff(), input)).rejects.toMatchObject({
      message: "The batch is already on hold.",
    });
    await cancelBatch(staff(), input);
  });

  test("once it is finalized, and for an unknown batch", async () => {
    const { input } = await dueBatch();
    await finalize();
    await expect(holdBatch(staff(), input)).rejects.toMatchObject({
      message: expect.stringContaining("is FINALIZED"),
    });
    await expect(holdBatch(staff(), { ...input, batchId: "none" })).rejects.toMatchObject({
      code: "batch_not_found",
    });
  });
});

test("of concurrent holds, cancels and finalizers one wins, and a batch on hold is never settled", async () => {
  for (let round = 0; round < 20; round++) {
    const { contract, input, status } = await dueBatch();
    const outcomes = await times(6, (at) =>
      (at % 3 === 0
        ? holdBatch(staff(), input).then(() => "held")
        : at % 3 === 1
          ? finalize().then(() => "ran")
          : cancelBatch(staff(), input).then(() => "cancelled")
      ).catch(() => "refused"),
    );
    const { heldAt } = await findBatch(staff(), contract, "b");
    const now = await status();
    if (outcomes.includes("held"))
      expect([now, heldAt !== null]).toEqual([now === "CANCELLED" ? now : "PENDING", true]);
    else expect(now).not.toBe("PENDING");
    if (now === "PENDING") await cancelBatch(staff(), input);
  }
});
