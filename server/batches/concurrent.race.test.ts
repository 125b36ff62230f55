import { describe, expect, test } from "vitest";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, setRule, times } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { indexRecipients } from "../recipients/index-recipients";
import { cancelBatch } from "./change/cancel-batch";
import { findBatch } from "./list/get-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const settled = <T>(runs: Promise<T>[]) => Promise.allSettled(runs);
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === "fulfilled" ? "ok" : ((result.reason as { code?: string }).code ?? "?"),
  );
const count = (list: string[], value: string) => list.filter((item) => item === value).length;

describe("eight concurrent", () => {
  test("batches never bring what passes a day without approval to its threshold", async () => {
    for (let round = 0; round < 20; round++) {
      const contract = await newContract();
      await setRule(db, contract, { dayThreshold: "100" });
      await times(8, (at) => submit(contract, [[1, "30"]], { batchId: `b${at}`, secondsToFinalize: 60 }));
      const passed = await times(
        8,
        async (at) => !(await findBatch(context(), contract, `b${at}`)).awaitsApproval,
      );
      expect(passed.filter(Boolean)).toHaveLength(3);
    }
  });

  test("submits of a PREFUNDED contract never exceed its points", async () => {
    for (let round = 0; round < 10; round++) {
      const contract = await newContract({ issuance: "PREFUNDED", granted: "10" });
      const runs = Array.from({ length: 8 }, () => submit(contract, [[1, "3"]], { secondsToFinalize: 60 }));
      const outcome = codes(await settled(runs));
      expect([count(outcome, "ok"), count(outcome, "insufficient_points")]).toEqual([3, 5]);
      expect(await balance(contract)).toMatchObject({ available: "1", pendingSent: "9" });
    }
  });

  test("submits of an ON_DEMAND contract issue exactly what they need", async () => {
    const contract = await newContract();
    await times(40, (i) => submit(contract, [[1, `${i + 1}`]], { secondsToFinalize: 60 }));
    expect(await balance(contract)).toMatchObject({
      available: "0",
      pendingSent: "820",
      earnedCumulative: "820",
    });
  });
});

test("concurrent submits, repeats, cancels, finalizers and recipient indexing keep the ledger balanced at all times", async () => {
  const contracts = await times(4, (i) =>
    newContract(i % 2 ? { issuance: "PREFUNDED", granted: "500" } : {}),
  );
  const answered: { contractAddress: string; batchId: string }[] = [];
  let running = true;
  const caller = async (worker: number) => {
    for (let i = 0; i < 30; i++) {
      const contractAddress = contracts[(worker + i) % 4]!;
      const rows = Array.from(
        { length: 1 + (i % 5) },
        (_, n) =>
          [
            contracts[n] && n !== (worker + i) % 4 && i % 3 === 0 ? contracts[n] : 50 + ((i * 7 + n) % 20),
            "1.5",
          ] as const,
      );
      const batch = batchOf(contractAddress, [...new Map(rows.map((row) => [row[0], row])).values()], {
        batchId: `w${worker}-${i}`,
      });
      const stored = await settled([submit(batch)]);
      if (codes(stored)[0] !== "ok") continue;
      answered.push({ contractAddress, batchId: batch.batchId! });
      if (i % 4 === 0) await submit(batch);
      if (i % 3 === 0) await settled([cancelBatch(context(), { contractAddress, batchId: batch.batchId! })]);
    }
  };
  const background = [finalize, finalize, indexRecipients, expectLedgerToBalance].map(async (work) => {
    while (running) await work(db);
  });
  await times(6, caller);
  running = false;
  await Promise.all(background);
  expect(await finalize()).toMatchObject({ failure: null, dueLeft: 0 });
  expect(answered.length).toBeGreaterThan(100);
  for (const { contractAddress, batchId } of answered) {
    expect(["FINALIZED", "CANCELLED"]).toContain(
      (await findBatch(context(), contractAddress, batchId)).status,
    );
  }
});
