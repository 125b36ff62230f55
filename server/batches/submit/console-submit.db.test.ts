import { describe, expect, test } from "vitest";
import type { StaffRole } from "@/server/kernel/context";
import { storedSums } from "@/testing/expect-refusal";
import { batchOf, LIMITS } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { submitBatch } from "./submit-batch";

const { db, context, newContract } = useLedger();

const batchesOf = (role: StaffRole) => callerOf(db, role).batches;

const auditOf = (contract: string, batchId: string) =>
  db.sql`select actor, action, detail, request_id from audit_log where target = ${`batch:${contract}/${batchId}`}`;

const TWO = [[1, "10.50"] as const, [2, "2"] as const];
const two = (contract: string, batchId: string) => ({
  ...batchOf(contract, TWO, { secondsToFinalize: 3600 }),
  batchId,
});

describe("a batch submitted in the console", () => {
  test.each(["operator", "admin"] as const)(
    "is stored under the name of the %s, with one audit row",
    async (role) => {
      const contract = await newContract();
      const reply = await batchesOf(role).submit(two(contract, "payout.001"));
      const batch = await batchesOf("viewer").get({ contractAddress: contract, batchId: "payout.001" });
      expect(reply).toEqual({ batchId: "payout.001", replayed: false, finalizeAt: batch.finalizeAt });
      expect(batch).toMatchObject({ submittedBy: `staff:${role}@example.com`, points: "12.5" });
      expect(await auditOf(contract, "payout.001")).toEqual([
        {
          actor: `staff:${role}@example.com`,
          action: "batch.submit",
          detail: { pointType: "PHASE2_POINTS", points: "12.5", transferCount: 2 },
          request_id: "request-1",
        },
      ]);
    },
  );

  test("is stored and audited once, no matter how often it is sent", async () => {
    const contract = await newContract();
    const replies = [];
    for (let send = 0; send < 3; send++)
      replies.push(await batchesOf("operator").submit(two(contract, "again")));
    expect(replies.map(({ replayed }) => replayed)).toEqual([false, true, true]);
    expect(await auditOf(contract, "again")).toHaveLength(1);
  });

  test("under an ID with different content is refused and not audited", async () => {
    const contract = await newContract();
    await batchesOf("operator").submit(two(contract, "taken"));
    const other = { ...two(contract, "taken"), secondsToFinalize: 7200 };
    await expect(batchesOf("operator").submit(other)).rejects.toThrow("Only `secondsToFinalize` differs");
    expect(await auditOf(contract, "taken")).toHaveLength(1);
  });

  test("leaves nothing behind when it is refused, not even an audit row", async () => {
    const contract = await newContract({ issuance: "PREFUNDED", granted: "1" });
    const before = await storedSums(db);
    await expect(batchesOf("operator").submit(two(contract, "poor"))).rejects.toThrow("only 1 available");
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
    const failed = await batchesOf("operator")
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

test("a viewer can neither submit nor do a dry run", async () => {
  const contract = await newContract();
  const before = await storedSums(db);
  await expect(batchesOf("viewer").submit(two(contract, "no"))).rejects.toThrow("requires the role operator");
  await expect(batchesOf("viewer").tryOut(two(contract, "no"))).rejects.toThrow("requires the role operator");
  expect(await storedSums(db)).toEqual(before);
});
