import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { dryRunSubmit } from "@/server/batches/submit/dry-run-submit";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { settleClaim } from "@/server/ledger/settle";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/terms/batch-terms";
import { batchOf, LIMITS } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { createEndpoint, disableEndpoint, enableEndpoint } from "./endpoints";

const { db, context, newContract, submit, finalize } = useLedger();

const admin = () => context("staff:admin@example.com");
const RULES = { serviceSecret: "auth-secret-of-this-test", allowPrivate: false };

async function listen(contractAddress: string, events: readonly WebhookEvent[] = WEBHOOK_EVENT_NAMES) {
  const url = `https://example.com/${randomUUID()}`;
  return (await createEndpoint(admin(), { contractAddress, url, events }, RULES)).endpoint.id;
}

/** The events in an endpoint's outbox, by batch, in order. */
async function outboxOf(endpointId: string): Promise<Record<string, string[]>> {
  const rows = await db.sql<{ id: string; event: string }[]>`
    select b.id, d.event from webhook_deliveries d
    join batches b on b.contract_address = d.contract_address and b.seq = d.batch_seq
    where d.endpoint_id = ${endpointId}::uuid order by d.event_at, d.event`;
  const found: Record<string, string[]> = {};
  for (const { id, event } of rows) found[id] = [...(found[id] ?? []), event];
  return found;
}

const countOf = async (contract: string) =>
  (await db.sql`select 1 from webhook_deliveries where contract_address = ${addressToBytes(contract)}`)
    .length;

test("the outbox has each change of a batch exactly once per subscribed endpoint, and nothing from other contracts", async () => {
  const [contract, other] = [await newContract(), await newContract()];
  const [all, some, disabled] = [
    await listen(contract),
    await listen(contract, ["batch.finalized", "batch.cancelled"]),
    await listen(contract),
  ];
  await disableEndpoint(admin(), { contractAddress: contract, webhookId: disabled });
  const stranger = await listen(other, ["batch.finalized"]);
  for (const batchId of ["settled", "too"]) await submit(contract, [[1, "1"]], { batchId });
  await submit(other, [[1, "1"]], { batchId: "other" });
  await submit(contract, [[1, "1"]], { batchId: "stopped", secondsToFinalize: 3600 });
  const key = { contractAddress: contract, batchId: "stopped", reason: "looks odd" };
  for (const change of [holdBatch, releaseBatch, holdBatch, cancelBatch]) {
    await change(admin(), key);
    // Events have whole milliseconds, and the next one has to be later.
    await sleep(2);
  }
  // In one chunk.
  expect((await finalize()).batchesFinalized).toBe(3);
  const settled = ["batch.created", "batch.finalizing", "batch.finalized"];
  expect(await outboxOf(all)).toEqual({
    settled,
    too: settled,
    stopped: ["batch.created", "batch.held", "batch.released", "batch.held", "batch.cancelled"],
  });
  expect(await outboxOf(some)).toEqual({
    settled: ["batch.finalized"],
    too: ["batch.finalized"],
    stopped: ["batch.cancelled"],
  });
  expect(await outboxOf(stranger)).toEqual({ other: ["batch.finalized"] });
  expect(await outboxOf(disabled)).toEqual({});
  await enableEndpoint(admin(), { contractAddress: contract, webhookId: disabled });
  await submit(contract, [[1, "1"]], { batchId: "heard", secondsToFinalize: 3600 });
  expect(await outboxOf(disabled)).toEqual({ heard: ["batch.created"] });
});

test("the outbox gets nothing from a request that changes nothing: refused, repeated, dry run or too late", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "10" });
  await listen(contract);
  const batch = batchOf(contract, [[1, "10"]], { batchId: "one", secondsToFinalize: 3600 });
  await dryRunSubmit(context(), LIMITS, batch);
  await expect(submit(contract, [[1, "11"]])).rejects.toMatchObject({ code: "insufficient_points" });
  expect(await countOf(contract)).toBe(0);
  await submit(batch);
  expect((await submitBatch(context(), LIMITS, batch)).replayed).toBe(true);
  await expect(submit({ ...batch, pointType: "PHASE2_GOLD" })).rejects.toMatchObject({
    code: "batch_id_conflict",
  });
  const key = { contractAddress: contract, batchId: "one", reason: "no" };
  await expect(releaseBatch(admin(), key)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await countOf(contract)).toBe(1);
  await cancelBatch(admin(), key);
  await expect(cancelBatch(admin(), key)).rejects.toMatchObject({ code: "not_cancellable" });
  await expect(holdBatch(admin(), key)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await countOf(contract)).toBe(2);
});

test("the outbox has one FINALIZING event for a batch that a second finalizer takes over", async () => {
  const contract = await newContract();
  const endpoint = await listen(contract);
  await submit(contract, [[1, "1"]], { batchId: "left" });
  const first = await claimDueBatches(db, "00000000-0000-4000-8000-000000000001");
  await db.sql`update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
  const second = await claimDueBatches(db, "00000000-0000-4000-8000-000000000002");
  expect([first.batches, second.batches]).toEqual([1, 1]);
  await settleClaim(db, first);
  await settleClaim(db, second);
  expect(await outboxOf(endpoint)).toEqual({
    left: ["batch.created", "batch.finalizing", "batch.finalized"],
  });
});
