import { expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import { SHOWN_MAX } from "./compare-batches";

const { db, newContract, submit } = useLedger();
const viewer = callerOf(db, "viewer").batches;
const to = (number: number) => addressFromBytes(addressToBytes(wallet(number)));

test("recipients that differ are listed by the size of the difference, with exact amounts, counts and labels", async () => {
  const contractAddress = await newContract();
  await callerOf(db, "operator").recipients.setLabel({ address: wallet(5), label: "Treasury" });
  const large = "20000000000000000000.00000000000";
  const before = { 1: "10", 2: `${large}1`, 3: "5", 4: "7.5" };
  const after = { 4: "7.50", 5: "3", 1: "4", 2: `${large}3` };
  for (const [batchId, rows] of Object.entries({ before, after }))
    await submit(
      contractAddress,
      Object.entries(rows).map(([number, points]) => [Number(number), points] as const),
      { batchId, secondsToFinalize: batchId === "before" ? 3600 : 60 },
    );
  const compared = await viewer.compare({ contractAddress, batchId: "after", withId: "before" });
  expect(compared).toMatchObject({
    difference: "-7.999999999998",
    counts: { added: 1, removed: 1, changed: 2, same: 1 },
  });
  expect(compared.shown).toEqual([
    { toAddress: to(1), before: "10", after: "4", difference: "-6", label: null },
    { toAddress: to(3), before: "5", after: null, difference: "-5", label: null },
    { toAddress: to(5), before: null, after: "3", difference: "3", label: "Treasury" },
    { toAddress: to(2), before: `${large}1`, after: `${large}3`, difference: "0.000000000002", label: null },
  ]);
});

test("a bounded number of differences is listed, and all are counted", async () => {
  const contractAddress = await newContract();
  const rows = (points: string) =>
    Array.from({ length: SHOWN_MAX + 5 }, (_, row) => [row + 1, points] as [number, string]);
  await submit(contractAddress, rows("1"), { batchId: "before" });
  await submit(contractAddress, rows("2"), { batchId: "after" });
  const input = { contractAddress, batchId: "after", withId: "before" };
  const compared = await viewer.compare(input);
  expect(compared.shown).toHaveLength(SHOWN_MAX);
  expect(compared.counts.changed).toBe(SHOWN_MAX + 5);
});

test("batches of another contract or point type are refused with a reason", async () => {
  const [contractAddress, other] = [await newContract(), await newContract()];
  await submit(contractAddress, [[1, "1"]], { batchId: "points" });
  await submit(contractAddress, [[1, "1"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
  await submit(other, [[1, "1"]], { batchId: "elsewhere" });
  const compare = (withId: string) => viewer.compare({ contractAddress, batchId: "points", withId });
  await expect(compare("gold")).rejects.toThrow("Only batches of the same type can be compared");
  await expect(compare("elsewhere")).rejects.toThrow("The contract has no batch elsewhere");
});
