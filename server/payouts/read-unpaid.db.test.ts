import { describe, expect, test } from "vitest";
import { columnsOfContract, outcomeColumns, rowsOfTransfers } from "@/app/(console)/transfers-csv";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { pairUp } from "@/server/batches/list/not-paid";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { exportPayout } from "@/server/statements/export-transfers";
import { formatPoints, parseSum } from "@/terms/points";
import { batchOf, LIMITS, numbersFrom, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { describePayout } from "./read-payout";
import type { PayoutKey } from "./schema";

const { context, newContract, finalize, balance } = useLedger();
const ANN = "staff:ann@example.com";
const ann = () => context(ANN);

/** Three batches of two transfers: the first is cancelled, the second finalized and half taken back. */
async function partlyPaid() {
  const contractAddress = await newContract();
  const key = (batchId: string) => ({ contractAddress, batchId });
  for (const [at, batchId] of ["b1", "b2", "b3"].entries()) {
    const rows = [1, 2].map((row) => [16 * at + row, "1.5"] as const);
    const secondsToFinalize = batchId === "b2" ? 0 : 60;
    const batch = batchOf(contractAddress, rows, { batchId, secondsToFinalize });
    await submitBatch(context(), LIMITS, { ...batch, payoutId: "may" });
  }
  const other = batchOf(contractAddress, [[1, "9"]], { batchId: "other" });
  await submitBatch(context(), LIMITS, { ...other, payoutId: "june" });
  await cancelBatch(ann(), { ...key("b1"), reason: "wrong rows" });
  await finalize();
  const reversal = { reversalId: "back", secondsToFinalize: 60, toAddresses: [wallet(17)] };
  await reverseBatch(ann(), LIMITS, { ...key("b2"), ...reversal });
  return { contractAddress, payoutId: "may" };
}

test("a payout's page says who was not paid, and why: a cancelled batch, and what is taken back", async () => {
  const payout = await partlyPaid();
  const { stops, reversals, counts } = await describePayout(ann(), payout);
  const stop = { batchId: "b1", by: ANN, reason: "wrong rows" };
  expect(stops).toEqual([{ ...stop, correctedBy: null }]);
  expect(reversals).toMatchObject([{ id: "back", reverses: "b2", points: "1.5", status: "PENDING" }]);
  expect(counts).toMatchObject({ cancelled: 1, finalized: 1, pending: 1 });
  const correction = batchOf(payout.contractAddress, [[1, "1"]], { batchId: "b1-2" });
  await submitBatch(ann(), LIMITS, { ...correction, corrects: "b1" });
  expect((await describePayout(ann(), payout)).stops).toEqual([{ ...stop, correctedBy: "b1-2" }]);
});

const reportOf = async (payout: PayoutKey) => {
  const rows: string[][] = [];
  const pages = rowsOfTransfers(exportPayout(ann(), payout));
  const columns = columnsOfContract(payout.contractAddress, outcomeColumns);
  const wanted = ["batch_id", "to_address", "points", "outcome", "taken_back_by", "cancel_reason", "counted"];
  for await (const page of pages)
    for (const row of page) rows.push(wanted.map((name) => columns[name]!(row) ?? ""));
  return rows;
};

test("a payout's report has a row a person: paid, pending, taken back, or not paid and why", async () => {
  const payout = await partlyPaid();
  const before = [
    ["b1", wallet(1), "1.5", "not paid", "", "wrong rows", "0"],
    ["b1", wallet(2), "1.5", "not paid", "", "wrong rows", "0"],
    ["b2", wallet(17), "1.5", "being taken back", "back", "", "1.5"],
    ["b2", wallet(18), "1.5", "paid", "", "", "1.5"],
    ["b3", wallet(33), "1.5", "pending", "", "", "0"],
    ["b3", wallet(34), "1.5", "pending", "", "", "0"],
  ];
  expect(await reportOf(payout)).toEqual(before);
  const correction = batchOf(payout.contractAddress, [[2, "1.5"]], { batchId: "b1-2" });
  await submitBatch(ann(), LIMITS, { ...correction, corrects: "b1" });
  const reversal = { batchId: "b2", reversalId: "now", secondsToFinalize: 0, toAddresses: [wallet(18)] };
  await reverseBatch(ann(), LIMITS, { contractAddress: payout.contractAddress, ...reversal });
  await finalize();
  expect(await reportOf(payout)).toEqual([
    before[0],
    before[2],
    ["b2", wallet(18), "1.5", "taken back", "now", "", "0"],
    ...before.slice(4),
    ["b1-2", wallet(2), "1.5", "paid", "", "", "1.5"],
  ]);
});

test("a payout's report keeps the batches that are cancelled while it is read", async () => {
  const contractAddress = await newContract();
  const ids = Array.from({ length: 501 }, (_, at) => `b${at}`);
  for (const batchId of ids)
    await submitBatch(context(), LIMITS, {
      ...batchOf(contractAddress, [[1, "1"]], { batchId }),
      payoutId: "may",
    });
  const pages = exportPayout(ann(), { contractAddress, payoutId: "may" });
  const read = [(await pages.next()).value!.batchId];
  await cancelBatch(ann(), { contractAddress, batchId: "b500" });
  for await (const { batchId } of pages) read.push(batchId);
  expect(read).toEqual(ids);
});

describe("who has not been paid", () => {
  type Item = { name: string; storedAt: number; cancelledAt: number | null; key: string };
  const item = (name: string, storedAt: number, cancelledAt: number | null = null, key = "k"): Item => ({
    ...{ name, storedAt, cancelledAt, key },
  });
  const pairedOf = (...items: Item[]) => {
    const { left, spare } = pairUp(
      items.filter(({ cancelledAt }) => cancelledAt !== null),
      items,
      ({ key }) => key,
    );
    return [left, spare].map((found) => found.map(({ name }) => name).join(" "));
  };

  test.each<[what: string, Item[], left: string, spare: string]>([
    ["nothing was cancelled", [item("a", 1), item("b", 2)], "", "a b"],
    ["it was cancelled", [item("a", 1, 2)], "a", "a"],
    ["it was sent again", [item("a", 1, 2), item("b", 3)], "", "a"],
    [
      "it was sent again, cancelled and sent again",
      [item("a", 1, 2), item("b", 3, 4), item("c", 5)],
      "",
      "a",
    ],
    ["what was sent again was cancelled too", [item("a", 1, 2), item("b", 3, 4)], "b", "a"],
    ["one was there before", [item("a", 1, 3), item("b", 2)], "a", "a b"],
    ["two were cancelled and one was sent", [item("a", 1, 3), item("b", 2, 4), item("c", 5)], "b", "a b"],
    ["another was sent", [item("a", 1, 2), item("b", 3, null, "other")], "a", "a b"],
  ])("%s", (_, items, left, spare) => {
    expect(pairedOf(...items)).toEqual([left, spare]);
  });

  test("a transfer is replaced by one with the same reference, and not by one to the same recipient", async () => {
    const contractAddress = await newContract();
    const payout = { contractAddress, payoutId: "refs" };
    const store = (batchId: string, references: [string, string], amount = "2") => {
      const batch = batchOf(
        contractAddress,
        [
          [1, amount],
          [2, amount],
        ],
        { batchId, secondsToFinalize: 60 },
      );
      const transfers = batch.transfers.map((row, at) => ({ ...row, reference: references[at] }));
      return submitBatch(context(), LIMITS, { ...batch, transfers, payoutId: "refs" });
    };
    await store("a", ["r1", "r2"]);
    await cancelBatch(ann(), { contractAddress, batchId: "a" });
    await store("b", ["r3", "r4"]);
    const left = async () => (await describePayout(ann(), payout)).notPaid;
    expect(await left()).toEqual([{ batchId: "a", transferCount: 2, points: "4" }]);
    await store("c", ["r5", "r2"], "3");
    expect(await left()).toEqual([{ batchId: "a", transferCount: 1, points: "2" }]);
    await store("d", ["r1", "r6"]);
    expect(await left()).toEqual([]);
  });

  test("of a file's part that was stored twice, the cancelled one is paid by the other", async () => {
    const contractAddress = await newContract();
    for (const batchId of ["f.1", "f.001"]) {
      const payout = { id: "f", part: 1, partCount: 2, fileName: "f.csv" };
      await submitBatch(ann(), LIMITS, { ...batchOf(contractAddress, [[1, "2"]], { batchId }), payout });
    }
    const left = async () => (await describePayout(ann(), { contractAddress, payoutId: "f" })).notPaid;
    await cancelBatch(ann(), { contractAddress, batchId: "f.001" });
    expect(await left()).toEqual([]);
    await cancelBatch(ann(), { contractAddress, batchId: "f.1" });
    expect(await left()).toMatchObject([{ points: "2" }]);
  });
});

interface Walked {
  id: string;
  rows: [to: number, points: string][];
  state: "pending" | "due" | "paid" | "reversed" | "cancelled" | "corrected";
}

const unitsOf = (points: string) => (points.startsWith("-") ? -parseSum(points.slice(1)) : parseSum(points));
const sumOf = (rows: readonly (readonly [unknown, string])[]) =>
  formatPoints(rows.reduce((sum, [, points]) => sum + unitsOf(points), 0n));

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "in any order of store, cancel, correct, finalize and reverse, page, report and ledger agree (walk %i)",
  async (seed) => {
    const random = numbersFrom(seed);
    const contractAddress = await newContract();
    const payout = { contractAddress, payoutId: "walk" };
    const batches: Walked[] = [];
    const reversals: { row: [number, string]; isDue: boolean; isDone: boolean }[] = [];
    let people = seed * 4096;
    const store = async (rows: Walked["rows"], id: string, corrects?: string) => {
      const isDue = random(2) === 0;
      const batch = batchOf(contractAddress, rows, { batchId: id, secondsToFinalize: isDue ? 0 : 60 });
      await submitBatch(ann(), LIMITS, { ...batch, ...(corrects ? { corrects } : { payoutId: "walk" }) });
      batches.push({ id, rows, state: isDue ? "due" : "pending" });
    };
    const oneOf = (...states: Walked["state"][]) => {
      const found = batches.filter(({ state }) => states.includes(state));
      return found[random(found.length)];
    };
    const steps = {
      store: () =>
        store(
          [0, 1, 2].slice(random(3)).map(() => [++people, `${1 + random(3)}.5`]),
          `w.${100 + batches.length}`,
        ),
      cancel: async () => {
        const batch = oneOf("pending", "due");
        if (!batch) return;
        await cancelBatch(ann(), { contractAddress, batchId: batch.id });
        batch.state = "cancelled";
      },
      correct: async () => {
        const batch = oneOf("cancelled");
        if (!batch) return;
        batch.state = "corrected";
        const isSame = random(2) === 0;
        const rows = batch.rows.map(([to, points]): [number, string] => [
          to,
          isSame ? points : `${1 + random(3)}`,
        ]);
        const number = batches.length;
        if (random(2) === 0) await store(rows, `w.${100 + number}`, batch.id);
        else await store(rows, `${batch.id.replace(/-\d+$/, "")}-${number}`);
      },
      finalize: async () => {
        await finalize();
        for (const batch of batches) if (batch.state === "due") batch.state = "paid";
        for (const reversal of reversals) reversal.isDone ||= reversal.isDue;
      },
      reverse: async () => {
        const batch = oneOf("paid");
        if (!batch) return;
        batch.state = "reversed";
        const row = batch.rows[random(batch.rows.length)]!;
        const isDue = random(2) === 0;
        const reversal = {
          batchId: batch.id,
          reversalId: `back.${reversals.length}`,
          toAddresses: [wallet(row[0])],
        };
        await reverseBatch(ann(), LIMITS, {
          contractAddress,
          ...reversal,
          secondsToFinalize: isDue ? 0 : 60,
        });
        reversals.push({ row, isDue, isDone: false });
      },
    };
    const names = ["store", "cancel", "correct", "cancel", "correct", "finalize", "reverse"] as const;
    await steps.store();
    for (let step = 0; step < 40; step++) await steps[names[random(names.length)]!]();

    const rowsIn = (...states: Walked["state"][]) =>
      batches.flatMap(({ rows, state }) => (states.includes(state) ? rows : []));
    const done = reversals
      .filter(({ isDone }) => isDone)
      .map(({ row: [to, points] }) => [to, `-${points}`] as const);
    const paid = sumOf([...rowsIn("paid", "reversed"), ...done]);
    const points = sumOf([...rowsIn("pending", "due", "paid", "reversed"), ...done]);
    const notPaid = sumOf(rowsIn("cancelled"));
    const page = await describePayout(ann(), payout);
    expect(page.amounts).toMatchObject([{ points, paid, notPaid }]);
    const { payout: listed } = (await listConsoleBatches(ann(), payout)).batches.find((one) => one.payout)!;
    expect(listed?.isShort).toBe(notPaid !== "0" && points + paid !== "00");
    const report = await reportOf(payout);
    expect(sumOf(report.map((row) => [null, row.at(-1)!]))).toBe(paid);
    const unpaid = report.filter((row) => row[3] === "not paid");
    expect(unpaid.map((row) => row[1]!.toLowerCase()).sort()).toEqual(
      rowsIn("cancelled")
        .map(([to]) => wallet(to))
        .sort(),
    );
    expect(new Set(report.map((row) => row[1])).size).toBe(report.length);
    const balances = Array.from({ length: people - seed * 4096 }, async (_, at) => {
      // What a reversal will take back is reserved.
      const { available, pendingSent } = await balance(wallet(seed * 4096 + at + 1));
      return sumOf([
        [null, available],
        [null, pendingSent],
      ]);
    });
    expect(sumOf((await Promise.all(balances)).map((has) => [null, has]))).toBe(paid);
  },
);
