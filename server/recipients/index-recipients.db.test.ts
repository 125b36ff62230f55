import { describe, expect, test } from "vitest";
import { indexAll } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, times, wallet } from "@/testing/factories";
import { holdSubmit } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { listBatches } from "../batches/list/list-batches";
import { addressToBytes } from "../kernel/values/addresses";
import { catchUpRecipients, indexRecipients } from "./index-recipients";

const { db, context, newContract, submit, finalize } = useLedger();

/** The index ends before the current millisecond. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

const paying = async (recipient: string, filters = {}) =>
  (await listBatches(context(), { recipient, sort: "ASC", ...filters })).rows.map((row) => row.id);

describe("the batches that pay a recipient", () => {
  test("are found in every state, before they are indexed and after", async () => {
    const contractAddress = await newContract();
    const to = wallet(0xa11);
    for (const batchId of ["settled", "cancelled"]) {
      await submit(
        contractAddress,
        [
          [1, "1"],
          [to, "2"],
        ],
        { batchId },
      );
      if (batchId === "cancelled") await cancelBatch(context(), { contractAddress, batchId });
    }
    await finalize();
    await indexAll(db);
    await submit(contractAddress, [[to, "1"]], { batchId: "waiting", secondsToFinalize: 60 });
    await submit(contractAddress, [[1, "1"]], { batchId: "to-another", secondsToFinalize: 60 });
    await tick();
    expect(await paying(to)).toEqual(["settled", "cancelled", "waiting"]);
    expect(await paying(to, { statuses: ["PENDING"] })).toEqual(["waiting"]);
    await indexAll(db);
    expect(await paying(to)).toEqual(["settled", "cancelled", "waiting"]);
    expect(await paying(to, { contractAddress, statuses: ["CANCELLED"] })).toEqual(["cancelled"]);
    expect(await paying(`0x${to.slice(2).toUpperCase()}`)).toHaveLength(3);
    expect(await paying(wallet(0xa12))).toEqual([]);
    const other = await newContract();
    await submit(other, [[to, "1"]], { batchId: "of-another" });
    await indexAll(db);
    expect(await paying(to)).toEqual(["settled", "cancelled", "waiting", "of-another"]);
    expect(await paying(to, { contractAddress: other })).toEqual(["of-another"]);
  });
});

describe("indexing", () => {
  test("does not skip a submit in flight", async () => {
    const contract = await newContract();
    const to = wallet(0xc11);
    await indexAll(db);
    const held = await holdSubmit(
      db,
      batchOf(contract, [[to, "1"]], { batchId: "held", pointType: "PHASE2_GOLD" }),
    );
    await submit(contract, [[to, "1"]], { batchId: "after" });
    expect(await indexAll(db)).toBe(0);
    await held.release();
    expect(await indexAll(db)).toBe(2);
    expect((await paying(to)).sort()).toEqual(["after", "held"]);
  });

  test("continues where it stopped, in bounded steps, indexes nothing twice, and catches up in one call", async () => {
    await indexAll(db);
    const contract = await newContract();
    await times(210, (i) =>
      submit(contract, [
        [0xd00_000 + i, "1"],
        [0xd11, "1"],
      ]),
    );
    await tick();
    expect(await indexRecipients(db)).toBe(200);
    await expectLedgerToBalance(db);
    expect((await paying(wallet(0xd11), { limit: 200 })).length).toBe(200);
    await catchUpRecipients(db, 10);
    expect(await indexRecipients(db)).toBe(0);
    const [indexed] = await db.sql`
      select count(*)::int as count from recipient_transfers where contract_address = ${addressToBytes(contract)}`;
    expect(indexed).toEqual({ count: 420 });
  });

  test("copies each batch once with four concurrent callers", async () => {
    const contract = await newContract();
    await times(40, (i) =>
      submit(contract, [
        [0xe00_000 + i, "1"],
        [0xe11, "1"],
      ]),
    );
    await tick();
    const indexed = await times(4, () => indexRecipients(db));
    expect(indexed.reduce((sum, batches) => sum + batches, 0) + (await indexAll(db))).toBe(40);
  });
});
