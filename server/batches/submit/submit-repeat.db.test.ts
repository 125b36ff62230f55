import { describe, expect, test } from "vitest";
import { refusalOf, storedSums } from "@/testing/expect-refusal";
import { batchOf, LIMITS, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../change/cancel-batch";
import { findBatch } from "../list/get-batch";
import { dryRunSubmit } from "./dry-run-submit";
import { submitBatch } from "./submit-batch";

const { db, context, newContract, submit } = useLedger();

describe("a repeated ID", () => {
  test("with the same content, in any notation, stores nothing more", async () => {
    const contract = await newContract();
    await submit(contract, [[1, "1"]], { batchId: "another" });
    const batch = batchOf(
      contract,
      [
        [0xabc, "1.50"],
        [2, "1"],
      ],
      { batchId: "same" },
    );
    expect(await submitBatch(context(), LIMITS, batch)).toEqual({ batchId: "same", replayed: false });
    const before = await storedSums(db);
    const again = {
      ...batch,
      contractAddress: `0x${contract.slice(2).toUpperCase()}`,
      transfers: [
        { toAddress: `0x${wallet(0xabc).slice(2).toUpperCase()}`, points: "1.5" },
        { toAddress: wallet(2), points: "1.000" },
      ],
    };
    expect(await submitBatch(context(), LIMITS, again)).toEqual({ batchId: "same", replayed: true });
    expect(await storedSums(db)).toEqual(before);
  });

  test.each([
    [
      "rows in another order",
      {
        transfers: [
          ["2", "1"],
          ["1", "1"],
        ],
      },
    ],
    [
      "another amount",
      {
        transfers: [
          ["1", "1"],
          ["2", "1.000000000001"],
        ],
      },
    ],
    ["another wait", { secondsToFinalize: 1 }],
    ["no wait", { secondsToFinalize: null }],
    ["another point type", { pointType: "PHASE2_GOLD" as const }],
  ])("with %s is a conflict that shows both digests", async (_, change) => {
    const contract = await newContract();
    const rows = (list: readonly (readonly string[])[]) =>
      list.map(([to, points]) => [Number(to), points!] as const);
    const first = [
      ["1", "1"],
      ["2", "1"],
    ] as const;
    await submit(contract, rows(first), { batchId: "mine" });
    const before = await storedSums(db);
    const { transfers, ...options } = { transfers: first as readonly (readonly string[])[], ...change };
    const error = await refusalOf(submit(contract, rows(transfers), { batchId: "mine", ...options }));
    expect(error.code).toBe("batch_id_conflict");
    const { storedDigest, sentDigest } = error.options.extra as Record<string, string>;
    expect(storedDigest).toBe((await findBatch(context(), contract, "mine")).digest.toString("hex"));
    expect(sentDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(sentDigest).not.toBe(storedDigest);
    expect(await storedSums(db)).toEqual(before);
  });

  test.each([
    ["rows in another order", "Only their order differs", true, 7200],
    ["another wait", "Only `secondsToFinalize` differs", false, 3600],
    ["no wait", "Only `secondsToFinalize` differs", false, null],
    ["both", "Only their order and `secondsToFinalize` differ", true, null],
  ])("with %s says so, in a dry run, too: %s", async (_, words, isReordered, secondsToFinalize) => {
    const contract = await newContract();
    const rows = [
      [0xabc, "1.5"],
      [2, "1"],
    ] as const;
    await submit(contract, rows, { batchId: "order-1", secondsToFinalize: 7200 });
    const other = batchOf(contract, isReordered ? [...rows].reverse() : rows, {
      batchId: "order-1",
      secondsToFinalize,
    });
    const detail = `The ID order-1 is already used by a batch with the same 2 transfers. ${words}.`;
    for (const send of [() => submit(other), () => dryRunSubmit(context(), LIMITS, other)]) {
      const error = await refusalOf(send());
      expect([error.code, error.message]).toEqual(["batch_id_conflict", detail]);
    }
  });

  test("of a cancelled batch is refused, and says since when, so that nobody believes the recipients are paid", async () => {
    const contract = await newContract();
    const batch = batchOf(contract, [[1, "1"]], { batchId: "gone", secondsToFinalize: 3600 });
    await submit(batch);
    await cancelBatch(context(), { contractAddress: contract, batchId: "gone" });
    const before = await storedSums(db);
    const error = await refusalOf(submit(batch));
    const { cancelledAt } = await findBatch(context(), contract, "gone");
    expect(error.code).toBe("batch_cancelled");
    expect(error.options.extra).toEqual({ since: cancelledAt!.toISOString() });
    expect(await storedSums(db)).toEqual(before);
    const other = await refusalOf(submit({ ...batch, secondsToFinalize: 3601 }));
    expect(other.code).toBe("batch_id_conflict");
  });

  test("of another contract is a different batch", async () => {
    const [one, other] = [await newContract(), await newContract()];
    for (const contract of [one, other]) {
      const batch = batchOf(contract, [[1, "1"]], { batchId: "shared" });
      expect((await submitBatch(context(), LIMITS, batch)).replayed).toBe(false);
    }
  });

  test("in another letter case is a different batch", async () => {
    const contract = await newContract();
    for (const batchId of ["Case", "case"]) {
      expect(
        (await submitBatch(context(), LIMITS, batchOf(contract, [[1, "1"]], { batchId }))).replayed,
      ).toBe(false);
    }
  });
});
