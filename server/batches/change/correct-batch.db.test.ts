import { expect, test } from "vitest";
import { batchOf } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { nextBatchId } from "./next-batch-id";

const { db, newContract } = useLedger();
const operator = callerOf(db, "operator").batches;

const two = (contract: string, batchId: string, second = "2") => {
  const rows = [[1, "10.5"] as const, [2, second] as const];
  return { ...batchOf(contract, rows, { secondsToFinalize: 3600 }), batchId };
};

async function cancelled(batchId: string) {
  const contractAddress = await newContract();
  await operator.submit(two(contractAddress, batchId));
  await operator.cancel({ contractAddress, batchId, reason: "Wrong amounts" });
  return contractAddress;
}
const get = (contractAddress: string, batchId: string) => operator.get({ contractAddress, batchId });

test("a correction and the cancelled batch link to one another, once, even if it is sent again", async () => {
  const contract = await cancelled("payout");
  const sent = { ...two(contract, "payout-2", "3"), corrects: "payout" };
  expect((await operator.submit(sent)).replayed).toBe(false);
  expect((await operator.submit(sent)).replayed).toBe(true);
  expect(await get(contract, "payout-2")).toMatchObject({ corrects: "payout", correctedBy: [] });
  expect(await get(contract, "payout")).toMatchObject({ corrects: null, correctedBy: ["payout-2"] });
});

test("only a cancelled batch of the same contract can be corrected, and a refused correction stores nothing", async () => {
  const contract = await newContract();
  await operator.submit(two(contract, "open"));
  const other = await cancelled("elsewhere");
  for (const [corrects, words] of [
    ["open", "The batch open is PENDING. Only a cancelled batch can be corrected."],
    ["elsewhere", "The contract has no batch elsewhere."],
    ["new", "The contract has no batch new."],
  ] as const) {
    const sent = { ...two(contract, "new"), corrects };
    await expect(operator.submit(sent)).rejects.toThrow(words);
    await expect(operator.tryOut(sent)).rejects.toThrow(words);
  }
  await expect(get(contract, "new")).rejects.toThrow("The contract has no batch new");
  expect(await get(other, "elsewhere")).toMatchObject({ correctedBy: [] });
});

test("the form is filled in with the cancelled batch, under the next ID that is free", async () => {
  const contract = await cancelled("march");
  await operator.submit(two(contract, "march-2", "5"));
  expect(await operator.correction({ contractAddress: contract, batchId: "march" })).toMatchObject({
    corrects: "march",
    contractAddress: contract,
    pointType: "PHASE2_POINTS",
    waitSeconds: 3600,
    transfers: [{ points: "10.5" }, { points: "2" }],
    batchId: "march-3",
  });
  await expect(operator.correction({ contractAddress: contract, batchId: "march-2" })).rejects.toThrow(
    "Only a cancelled batch can be corrected",
  );
});

test("a suggested ID counts on, keeps a month or a padded number, and is never longer than an ID may be", () => {
  const suggested = ["payout-9", "payout-2026-12", "payout-2026-03-2", "run-07", "x".repeat(64)].map((id) =>
    nextBatchId(id, 64),
  );
  const shortened = `${"x".repeat(62)}-2`;
  expect(suggested).toEqual(["payout-10", "payout-2026-12-2", "payout-2026-03-3", "run-07-2", shortened]);
});

test("an identical correction is still found as a repeat, and says that it is the correction", async () => {
  const contract = await cancelled("same");
  const sent = { ...two(contract, "same-2"), corrects: "same" };
  const repeat = { id: "same", status: "CANCELLED", cancelReason: "Wrong amounts" };
  const { review } = await operator.tryOut(sent);
  expect(review!.repeats).toMatchObject({ level: "unusual", batches: [{ ...repeat, isCorrected: true }] });
  await operator.submit(sent);
  const stored = await operator.review({ contractAddress: contract, batchId: "same-2" });
  expect(stored.repeats).toMatchObject({ level: "unusual", batches: [{ ...repeat, isCorrected: true }] });
  const unlinked = await operator.tryOut(two(contract, "same-3"));
  expect(unlinked.review!.repeats.batches.find(({ id }) => id === "same")).not.toHaveProperty("isCorrected");
});
