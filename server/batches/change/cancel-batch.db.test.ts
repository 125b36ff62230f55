import { describe, expect, test } from "vitest";
import { answerStatement } from "@/testing/answer-statement";
import { endLeases } from "@/testing/catch-up";
import { testContext } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { claimDueBatches } from "../../finalizer/claim-due-batches";
import { findBatch } from "../list/get-batch";
import { cancelBatch } from "./cancel-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const answeringCancels = (answer: Parameters<typeof answerStatement>[2]) =>
  answerStatement(db, "set status = 'CANCELLED'", answer);
const auditOf = (target: string) =>
  db.sql`select actor, action, detail, request_id from audit_log where target = ${target}`;

describe("cancelling a PENDING batch", () => {
  test("returns its points and keeps them issued", async () => {
    const contract = await newContract();
    await submit(
      contract,
      [
        [1, "10"],
        [2, "2.5"],
      ],
      { batchId: "b" },
    );
    expect(await cancelBatch(context(), { contractAddress: contract, batchId: "b" })).toEqual({
      batchId: "b",
    });
    expect(await balance(contract)).toEqual({
      available: "12.5",
      pendingSent: "0",
      earnedCumulative: "12.5",
      receivedCumulative: "0",
      finalizedSentCumulative: "0",
    });
    const batch = await findBatch(context(), contract, "b");
    expect(batch.status).toBe("CANCELLED");
    expect(batch.updatedAt).toEqual(batch.cancelledAt);
    expect(batch.finalizeAt.getTime()).toBe(batch.createdAt.getTime());
    await submit(contract, [[1, "12"]]);
    expect(await balance(contract)).toMatchObject({ available: "0.5", earnedCumulative: "12.5" });
  });

  test("works when it is overdue but not claimed, and it is never settled afterwards", async () => {
    const contract = await newContract();
    await submit(contract, [[0xca1, "10"]], { batchId: "b" });
    await cancelBatch(context(), { contractAddress: contract, batchId: "b" });
    await finalize();
    expect((await balance(contract)).finalizedSentCumulative).toBe("0");
    expect((await findBatch(context(), contract, "b")).status).toBe("CANCELLED");
  });

  test("is never dated before the batch, even if its transaction began before the batch was stored", async () => {
    const contract = await newContract();
    await db.sql.begin(async (tx) => {
      await tx`select now()`;
      await submit(contract, [[1, "1"]], { batchId: "b" });
      await cancelBatch(testContext({ ...db, sql: tx as never }), {
        contractAddress: contract,
        batchId: "b",
      });
    });
    const batch = await findBatch(context(), contract, "b");
    expect(batch.cancelledAt!.getTime()).toBeGreaterThanOrEqual(batch.createdAt.getTime());
  });

  test("by a token is recorded in the batch, and by staff also in the audit log with the reason", async () => {
    const contract = await newContract();
    for (const batchId of ["by-token", "by-staff"]) await submit(contract, [[1, "1"]], { batchId });
    const token = context("token:payouts");
    const staff = context("staff:ann@example.com");
    await cancelBatch(token, { contractAddress: contract, batchId: "by-token" });
    await cancelBatch(staff, { contractAddress: contract, batchId: "by-staff", reason: "sent twice" });
    expect(await findBatch(token, contract, "by-token")).toMatchObject({
      cancelledBy: "token:payouts",
      cancelReason: null,
      cancelRequestId: token.requestId,
    });
    expect(await auditOf(`batch:${contract}/by-token`)).toHaveLength(0);
    expect(await findBatch(staff, contract, "by-staff")).toMatchObject({ cancelReason: "sent twice" });
    expect([...(await auditOf(`batch:${contract}/by-staff`))]).toEqual([
      {
        actor: "staff:ann@example.com",
        action: "batch.cancel",
        detail: { reason: "sent twice" },
        request_id: staff.requestId,
      },
    ]);
  });
});

describe("cancelling is refused", () => {
  test("the second time, with the time of the first", async () => {
    const contract = await newContract();
    await submit(contract, [[1, "1"]], { batchId: "b" });
    await cancelBatch(context(), { contractAddress: contract, batchId: "b" });
    const { cancelledAt } = await findBatch(context(), contract, "b");
    await expect(cancelBatch(context(), { contractAddress: contract, batchId: "b" })).rejects.toMatchObject({
      code: "not_cancellable",
      message: `The batch has been CANCELLED since ${cancelledAt!.toISOString()}.`,
      options: { extra: { batchStatus: "CANCELLED", since: cancelledAt!.toISOString() } },
    });
    expect(await balance(contract)).toMatchObject({ available: "1", pendingSent: "0" });
  });

  test("once a finalizer has claimed the batch, and once it is FINALIZED", async () => {
    const contract = await newContract();
    await submit(contract, [[1, "1"]], { batchId: "b" });
    const claimId = crypto.randomUUID();
    expect((await claimDueBatches(db, claimId)).batches).toBeGreaterThanOrEqual(1);
    const staff = context("staff:ann@example.com");
    const refused = (batchStatus: string) =>
      expect(
        cancelBatch(staff, { contractAddress: contract, batchId: "b", reason: "too late" }),
      ).rejects.toMatchObject({
        code: "not_cancellable",
        options: { extra: { batchStatus } },
      });
    await refused("FINALIZING");
    await endLeases(db);
    await finalize();
    await refused("FINALIZED");
    expect(await balance(contract)).toMatchObject({ pendingSent: "0", finalizedSentCumulative: "1" });
    expect(await auditOf(`batch:${contract}/b`)).toHaveLength(0);
  });

  test("for an unknown batch, and for another contract's batch", async () => {
    const [contract, other] = [await newContract(), await newContract()];
    await submit(contract, [[1, "1"]], { batchId: "b" });
    for (const input of [
      { contractAddress: contract, batchId: "B" },
      { contractAddress: other, batchId: "b" },
    ]) {
      await expect(cancelBatch(context(), input)).rejects.toMatchObject({ code: "batch_not_found" });
    }
    expect((await findBatch(context(), contract, "b")).status).toBe("PENDING");
  });
});

describe("a batch that is stored between the two steps of a cancel", () => {
  test("is looked up again and cancelled", async () => {
    const contract = await newContract();
    let looks = 0;
    const late = answeringCancels(async (ask) => {
      const cancelled = await ask();
      if (++looks === 1) await submit(contract, [[1, "1"]], { batchId: "b" });
      return cancelled;
    });
    const cancelled = await cancelBatch(testContext(late), { contractAddress: contract, batchId: "b" });
    expect([cancelled, looks]).toEqual([{ batchId: "b" }, 2]);
    expect((await findBatch(context(), contract, "b")).status).toBe("CANCELLED");
  });

  test("stays PENDING after five attempts, and the caller is asked to retry", async () => {
    const contract = await newContract();
    await submit(contract, [[1, "1"]], { batchId: "b" });
    let looks = 0;
    const never = answeringCancels(async () => {
      looks++;
      return [];
    });
    await expect(
      cancelBatch(testContext(never), { contractAddress: contract, batchId: "b" }),
    ).rejects.toMatchObject({ code: "unavailable", options: { headers: { "Retry-After": "1" } } });
    expect(looks).toBe(5);
    expect((await findBatch(context(), contract, "b")).status).toBe("PENDING");
  });
});
