import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { storedSums } from "@/testing/expect-refusal";
import { batchOf, LIMITS } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import type { StaffIdentity } from "../../kernel/trpc-context";
import { createConsoleCaller } from "../../trpc/root";
import { submitBatch } from "./submit-batch";

const { db, context, newContract } = useLedger();

const callerOf = (role: StaffIdentity["role"]) =>
  createConsoleCaller({
    db,
    replica: undefined,
    limits: LIMITS,
    requestId: `request-of-${role}`,
    authorization: null,
    clientAddress: "console",
    staff: { email: `${role}@example.com`, role, sessionId: randomUUID() },
    replyHeaders: new Headers(),
  }).console.batches;

const auditOf = (contract: string, batchId: string) =>
  db.sql`select actor, action, detail, request_id from audit_log where target = ${`batch:${contract}/${batchId}`}`;

const two = (contract: string, batchId: string) => ({
  ...batchOf(
    contract,
    [
      [1, "10.50"],
      [2, "2"],
    ],
    { batchId, secondsToFinalize: 3600 },
  ),
  batchId,
});

describe("a batch submitted in the console", () => {
  test.each(["operator", "admin"] as const)(
    "is stored under the name of the %s, with one audit row",
    async (role) => {
      const contract = await newContract();
      const reply = await callerOf(role).submit(two(contract, "payout.001"));
      const batch = await callerOf("viewer").get({ contractAddress: contract, batchId: "payout.001" });
      expect(reply).toEqual({ batchId: "payout.001", replayed: false, finalizeAt: batch.finalizeAt });
      expect(batch).toMatchObject({ submittedBy: `staff:${role}@example.com`, points: "12.5" });
      expect(await auditOf(contract, "payout.001")).toEqual([
        {
          actor: `staff:${role}@example.com`,
          action: "batch.submit",
          detail: { pointType: "PHASE2_POINTS", points: "12.5", transferCount: 2 },
          request_id: `request-of-${role}`,
        },
      ]);
    },
  );

  test("is stored and audited once, no matter how often it is sent", async () => {
    const contract = await newContract();
    const replies = [];
    for (let send = 0; send < 3; send++)
      replies.push(await callerOf("operator").submit(two(contract, "again")));
    expect(replies.map(({ replayed }) => replayed)).toEqual([false, true, true]);
    expect(await auditOf(contract, "again")).toHaveLength(1);
  });

  test("under an ID with different content is refused and not audited", async () => {
    const contract = await newContract();
    await callerOf("operator").submit(two(contract, "taken"));
    const other = { ...two(contract, "taken"), secondsToFinalize: 7200 };
    await expect(callerOf("operator").submit(other)).rejects.toThrow(
      "is already used by a batch with different content",
    );
    expect(await auditOf(contract, "taken")).toHaveLength(1);
  });

  test("leaves nothing behind when it is refused, not even an audit row", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "1" });
    const before = await storedSums(db);
    await expect(callerOf("operator").submit(two(contract, "poor"))).rejects.toThrow("only 1 available");
    expect(await storedSums(db)).toEqual(before);
    expect(await auditOf(contract, "poor")).toEqual([]);
  });

  test("follows the rules of the REST API, and lists the errors of every row", async () => {
    const contract = await newContract();
    const bad = batchOf(contract, [
      [1, "1,000"],
      [1, "1"],
      ["0x12", "0.001"],
    ]);
    const failed = await callerOf("operator")
      .submit({ ...bad, batchId: "bad id", secondsToFinalize: 1 })
      .catch((error: { cause: { issues: unknown[] } }) => error.cause.issues);
    expect(failed).toHaveLength(6);
  });
});

test("a contract's own submit is not audited, since the batch records it", async () => {
  const contract = await newContract();
  await submitBatch(context("token:backend"), LIMITS, two(contract, "own"));
  expect(await auditOf(contract, "own")).toEqual([]);
});

test("a dry run reports what would happen and stores nothing", async () => {
  const contract = await newContract();
  const before = await storedSums(db);
  const result = await callerOf("operator").tryOut(two(contract, "maybe"));
  expect(result).toMatchObject({ batchId: "maybe", replayed: false, points: "12.5", issued: "12.5" });
  expect(await storedSums(db)).toEqual(before);
});

test("a viewer can neither submit nor do a dry run", async () => {
  const contract = await newContract();
  const before = await storedSums(db);
  await expect(callerOf("viewer").submit(two(contract, "no"))).rejects.toThrow("requires the role operator");
  await expect(callerOf("viewer").tryOut(two(contract, "no"))).rejects.toThrow("requires the role operator");
  expect(await storedSums(db)).toEqual(before);
});
