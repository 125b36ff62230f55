import { expect, test } from "vitest";
import { useLedger } from "@/testing/use-ledger";
import { indexRecipients } from "../../recipients/index-recipients";
import { reviewBatch } from "./review-batch";

const { db, context, newContract, submit } = useLedger();

const WAIT = { secondsToFinalize: 3600 };
async function review(contractAddress: string, batchId: string) {
  while ((await indexRecipients(db)) > 0);
  return reviewBatch(context("staff:ann@example.com"), { contractAddress, batchId });
}

test("in a contract's first batch nothing is unusual, and all recipients are new", async () => {
  const contract = await newContract();
  await submit(
    contract,
    [
      [1, "5"],
      [2, "7.5"],
    ],
    { batchId: "first", ...WAIT },
  );
  expect(await review(contract, "first")).toEqual({
    earlierBatches: 0,
    recipients: { total: 2, new: 2 },
    largestTransfer: { points: "7.5", before: null, isFarOut: false },
    total: { points: "12.5", before: null, isFarOut: false },
    share: null,
    sameContent: [],
  });
});

test("amounts are unusual from ten times the previous maximum; later batches and other point types do not count", async () => {
  const contract = await newContract();
  await submit(contract, [[1, "10"]], { batchId: "a", ...WAIT });
  await submit(contract, [[1, "5000"]], { batchId: "gold", pointType: "PHASE2_GOLD", ...WAIT });
  await submit(
    contract,
    [
      [1, "99.99"],
      [2, "0.01"],
    ],
    { batchId: "near", ...WAIT },
  );
  await submit(contract, [[1, "999"]], { batchId: "far", ...WAIT });
  await submit(contract, [[1, "1000"]], { batchId: "farther", ...WAIT });
  const near = await review(contract, "near");
  expect(near).toMatchObject({ earlierBatches: 1, recipients: { total: 2, new: 1 } });
  expect(near.largestTransfer).toEqual({ points: "99.99", before: "10", isFarOut: false });
  expect(near.total).toEqual({ points: "100", before: "10", isFarOut: true });
  expect((await review(contract, "far")).largestTransfer).toEqual({
    points: "999",
    before: "99.99",
    isFarOut: false,
  });
  expect((await review(contract, "farther")).earlierBatches).toBe(3);
});

test("the share is relative to what a PREFUNDED contract would have without the batch", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "200" });
  await submit(contract, [[1, "80"]], { batchId: "a", ...WAIT });
  await submit(contract, [[1, "60"]], { batchId: "b", ...WAIT });
  expect((await review(contract, "a")).share).toEqual({ percent: 57, isLarge: true });
  expect((await review(contract, "b")).share).toEqual({ percent: 50, isLarge: true });
});

test("batches with the same content under other IDs are listed, newest first, without other contracts'", async () => {
  const [contract, other] = [await newContract(), await newContract()];
  for (const batchId of ["a", "b", "c"]) await submit(contract, [[1, "1"]], { batchId, ...WAIT });
  await submit(other, [[1, "1"]], { batchId: "x", ...WAIT });
  expect((await review(contract, "c")).sameContent).toEqual(["b", "a"]);
  expect((await review(contract, "a")).sameContent).toEqual([]);
  expect((await review(other, "x")).sameContent).toEqual([]);
});
