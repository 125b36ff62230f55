import { expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import { listDifferences, SHOWN_MAX } from "./compare-batches";

const { db, context, newContract, submit, finalize } = useLedger();
const viewer = callerOf(db, "viewer").batches;
const to = (number: number) => addressFromBytes(addressToBytes(wallet(number)));

test("recipients that differ are listed by the size of the difference, with exact amounts and counts", async () => {
  const contractAddress = await newContract();
  await submit(
    contractAddress,
    [
      [1, "10"],
      [2, "20000000000000000000.000000000001"],
      [3, "5"],
      [4, "7.5"],
    ],
    { batchId: "before", secondsToFinalize: 3600 },
  );
  await submit(
    contractAddress,
    [
      [4, "7.50"],
      [5, "3"],
      [1, "4"],
      [2, "20000000000000000000.000000000003"],
    ],
    { batchId: "after", secondsToFinalize: 60 },
  );
  const compared = await viewer.compare({ contractAddress, batchId: "after", withId: "before" });
  expect(compared).toMatchObject({
    before: { id: "before", points: "20000000000000000022.500000000001" },
    after: { id: "after", points: "20000000000000000014.500000000003" },
    difference: "-7.999999999998",
    counts: { added: 1, removed: 1, changed: 2, same: 1 },
  });
  expect(compared.shown).toEqual([
    { toAddress: to(1), kind: "changed", before: "10", after: "4", difference: "-6", label: null },
    { toAddress: to(3), kind: "removed", before: "5", after: null, difference: "-5", label: null },
    { toAddress: to(5), kind: "added", before: null, after: "3", difference: "3", label: null },
    {
      toAddress: to(2),
      kind: "changed",
      before: "20000000000000000000.000000000001",
      after: "20000000000000000000.000000000003",
      difference: "0.000000000002",
      label: null,
    },
  ]);
});

test("differences of one kind are listed and downloaded alone, and all are counted", async () => {
  const contractAddress = await newContract();
  await submit(
    contractAddress,
    [
      [1, "1"],
      [2, "2"],
    ],
    { batchId: "before" },
  );
  await submit(
    contractAddress,
    [
      [2, "5"],
      [3, "9"],
    ],
    { batchId: "after" },
  );
  for (const [show, number] of [
    ["added", 3],
    ["removed", 1],
    ["changed", 2],
  ] as const) {
    const input = { contractAddress, batchId: "after", withId: "before", show };
    const { shown, counts } = await viewer.compare(input);
    expect(shown).toMatchObject([{ kind: show, toAddress: to(number) }]);
    expect(counts).toEqual({ added: 1, removed: 1, changed: 1, same: 0 });
    expect(await listDifferences(context(), input)).toEqual(shown);
  }
});

test("identical batches have no differences", async () => {
  const contractAddress = await newContract();
  for (const batchId of ["one", "two"]) await submit(contractAddress, [[1, "1"]], { batchId });
  expect(await viewer.compare({ contractAddress, batchId: "two", withId: "one" })).toMatchObject({
    difference: "0",
    counts: { added: 0, removed: 0, changed: 0, same: 1 },
    shown: [],
  });
});

test("the page shows a bounded number of differences, and the download has all", async () => {
  const contractAddress = await newContract();
  const rows = (points: string) =>
    Array.from({ length: SHOWN_MAX + 5 }, (_, row) => [row + 1, points] as [number, string]);
  await submit(contractAddress, rows("1"), { batchId: "before" });
  await submit(contractAddress, rows("2"), { batchId: "after" });
  const input = { contractAddress, batchId: "after", withId: "before" };
  const compared = await viewer.compare(input);
  expect(compared.shown).toHaveLength(SHOWN_MAX);
  expect(compared.counts.changed).toBe(SHOWN_MAX + 5);
  expect(await listDifferences(context(), input)).toHaveLength(SHOWN_MAX + 5);
});

test("batches of another contract or point type, and the batch itself, are refused with a reason", async () => {
  const [contractAddress, other] = [await newContract(), await newContract()];
  await submit(contractAddress, [[1, "1"]], { batchId: "points" });
  await submit(contractAddress, [[1, "1"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
  await submit(other, [[1, "1"]], { batchId: "elsewhere" });
  const compare = (withId: string) => viewer.compare({ contractAddress, batchId: "points", withId });
  await expect(compare("gold")).rejects.toThrow("Only batches of the same type can be compared");
  await expect(compare("elsewhere")).rejects.toThrow("The contract has no batch elsewhere");
  await expect(compare("points")).rejects.toThrow("This is the same batch");
});

test("by default a batch is compared with the one it corrects, or the previous finalized one of its type", async () => {
  const contractAddress = await newContract();
  const operator = callerOf(db, "operator").batches;
  const pay = {
    contractAddress,
    pointType: "PHASE2_POINTS" as const,
    transfers: [{ toAddress: wallet(1), points: "1" }],
  };
  const compared = async (batchId: string) => (await viewer.compared({ contractAddress, batchId })).withId;
  await submit(contractAddress, [[1, "1"]], { batchId: "first", secondsToFinalize: 0 });
  expect(await compared("first")).toBeNull();
  await finalize();
  await submit(contractAddress, [[1, "1"]], {
    batchId: "gold",
    pointType: "PHASE2_GOLD",
    secondsToFinalize: 0,
  });
  await finalize();
  await operator.submit({ ...pay, batchId: "wrong", secondsToFinalize: 3600 });
  expect(await compared("wrong")).toBe("first");
  await operator.cancel({ contractAddress, batchId: "wrong", reason: "Wrong amounts" });
  await operator.submit({ ...pay, batchId: "wrong-2", secondsToFinalize: 3600, corrects: "wrong" });
  expect(await compared("wrong-2")).toBe("wrong");
});

test("a label of a recipient is next to its difference", async () => {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "1"]], { batchId: "before" });
  await submit(contractAddress, [[900, "1"]], { batchId: "after" });
  await callerOf(db, "operator").recipients.setLabel({ address: wallet(900), label: "Treasury" });
  const { shown } = await viewer.compare({ contractAddress, batchId: "after", withId: "before" });
  expect(shown.find(({ toAddress }) => toAddress === to(900))).toMatchObject({ label: "Treasury" });
});
