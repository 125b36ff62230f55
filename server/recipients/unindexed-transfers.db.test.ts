import { describe, expect, test } from "vitest";
import { indexAll } from "@/testing/catch-up";
import { wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { listBatches } from "../batches/list/list-batches";
import { describeRecipient } from "./describe-recipient";
import { exportReceived } from "./export-received";
import { listReceived, sumReceived } from "./list-received";

const { db, context, newContract, submit } = useLedger();

/** An address made of two repeated bytes. */
const address = (first: string, firstBytes: number, second: string) =>
  `0x${first.repeat(firstBytes)}${second.repeat(20 - firstBytes)}`;

/** What each way of searching for a recipient finds, oldest first. */
async function found(recipient: string) {
  const ctx = context();
  const { rows } = await listBatches(ctx, { recipient });
  const { transfers } = await listReceived(ctx, { address: recipient });
  const type = { address: recipient, pointType: "PHASE2_POINTS" as const };
  const filtered = (await listReceived(ctx, type)).transfers;
  const exported: string[] = [];
  for await (const page of await exportReceived(ctx, { address: recipient }))
    for (const { batchId, points } of page) exported.push(`${batchId} ${points}`);
  return {
    list: rows.map(({ id }) => id).reverse(),
    page: transfers.map(({ batchId, points }) => `${batchId} ${points}`).reverse(),
    filtered: filtered.map(({ batchId, points }) => `${batchId} ${points}`).reverse(),
    summed: (await sumReceived(ctx, type)).points.PHASE2_POINTS.pending,
    exported,
    counted: (await describeRecipient(ctx, { address: recipient })).transferCount,
  };
}
const NOTHING = { list: [], page: [], filtered: [], summed: "0", exported: [], counted: 0 };
const only = (batchId: string, points: string) => ({
  list: [batchId],
  page: [`${batchId} ${points}`],
  filtered: [`${batchId} ${points}`],
  summed: points,
  exported: [`${batchId} ${points}`],
  counted: 1,
});

describe.each(["before", "after"] as const)("%s a batch is indexed", (moment) => {
  /** Three recipients, and an address that spans the end of the first and the start of the second. */
  const marks = moment === "before" ? ["a1", "b1", "c1", "d1"] : ["a2", "b2", "c2", "d2"];
  const [a, b, c, d] = marks as [string, string, string, string];
  const [first, second, across] = [address(a, 7, b), address(c, 13, d), address(b, 7, c)];

  async function send(batchId: string, rows: [string, string][]): Promise<void> {
    await submit(await newContract(), rows, { batchId, secondsToFinalize: 3600 });
    if (moment === "after") await indexAll(db);
  }

  test("an address that occurs only across two others is not found", async () => {
    await send(`apart-${moment}`, [
      [first, "1"],
      [second, "2"],
    ]);
    expect(await found(across)).toEqual(NOTHING);
    expect(await found(first)).toEqual(only(`apart-${moment}`, "1"));
    expect(await found(second)).toEqual(only(`apart-${moment}`, "2"));
  });

  test("an address that also occurs across two others is found with its own amount", async () => {
    await send(`paid-${moment}`, [
      [first, "1"],
      [second, "2"],
      [across, "3"],
    ]);
    expect(await found(across)).toEqual(only(`paid-${moment}`, "3"));
  });
});

test("a recipient is found at any position in a batch of 2,000", async () => {
  const rows = Array.from({ length: 2000 }, (_, at): [number, string] => [0x77_0000 + at, `${at + 1}`]);
  await submit(await newContract(), rows, { batchId: "large", secondsToFinalize: 3600 });
  for (const at of [0, 1, 999, 1998, 1999])
    expect(await found(wallet(0x77_0000 + at))).toEqual(only("large", `${at + 1}`));
  expect(await found(wallet(0x77_0000 + 2000))).toEqual(NOTHING);
});
