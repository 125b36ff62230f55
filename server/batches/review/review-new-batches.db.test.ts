import { expect, test, vi } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, holdGroup } from "@/server/batches/change/hold-batch";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { dryRunSubmit } from "@/server/batches/submit/dry-run-submit";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { log } from "@/server/kernel/log";
import type { BatchReview } from "@/terms/findings";
import { indexAll, reviewAll } from "@/testing/catch-up";
import { batchOf, LIMITS, setRule, times, withoutTriggers } from "@/testing/factories";
import { untilBlocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { describeBatch } from "./describe-batch";
import { reviewBatch, reviewNewBatch } from "./review-batch";
import { catchUpReviews, reviewNewBatches } from "./review-new-batches";

const { db, context, newContract, submit, finalize } = useLedger();

const WAIT = { secondsToFinalize: 3600 };
/** Rows to wallets 1, 2, … */
const paying = (...points: string[]) => points.map((each, at) => [at + 1, each] as const);
const TWO = paying("2", "3");
const ann = () => context("staff:ann@example.com");

/** The contract's stored reviews, oldest first. */
const stored = async (contract: string) =>
  await db.sql<{ id: string; level: string; findings: Record<string, { level: string }> }[]>`
    select b.id, r.level, r.findings from batch_reviews r
    join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
    where r.contract_address = decode(${contract.slice(2)}, 'hex') order by r.batch_seq`;
async function reviewed(contract: string) {
  await reviewAll(db);
  return stored(contract);
}
const storedIds = async (contract: string) => (await stored(contract)).map(({ id }) => id);

/** A contract that has paid ten points, to wallets 1 to 3. */
async function contractWithHistory(options?: Parameters<typeof newContract>[0]): Promise<string> {
  const contract = await newContract(options);
  await submit(contract, paying("8", "1", "1"), { batchId: "usual" });
  await finalize();
  await reviewAll(db);
  return contract;
}

test("a review after the submit stores what is unusual with its findings, and nothing about ordinary batches", async () => {
  const contract = await contractWithHistory();
  await submit(contract, [[1, "11"]], { batchId: "ordinary", ...WAIT });
  await submit(contract, [[1, "800"]], { batchId: "eighty", ...WAIT });
  await submit(contract, [[1, "31"]], { batchId: "three", ...WAIT });
  expect(await reviewAll(db)).toBe(3);
  expect(await stored(contract)).toMatchObject([
    {
      id: "eighty",
      level: "alarming",
      findings: { comparedWith: 1, total: { times: "80", usual: { p95: "10" } } },
    },
    { id: "three", level: "unusual", findings: { total: { times: "3" } } },
  ]);
  const { batches } = await listConsoleBatches(context(), { contractAddress: contract });
  expect(batches.flatMap(({ id, flag }) => (flag ? [[id, flag]] : []))).toEqual([
    ["three", { level: "unusual", why: expect.stringMatching(/^The total is 31, 3 times[^.]*\.$/) }],
    ["eighty", { level: "alarming", why: expect.stringContaining("The largest transfer is 800, 100 times") }],
  ]);
  const shown = async (batchId: string) =>
    (await describeBatch(context(), { contractAddress: contract, batchId })).review;
  expect(await shown("eighty")).toMatchObject({ level: "alarming" });
  expect(await shown("ordinary")).toBeNull();
});

test("a review after the submit also covers a batch that was finalized or cancelled before, as it was at its submit", async () => {
  const contract = await contractWithHistory();
  await submit(contract, [[1, "500"]], { batchId: "finalized" });
  await submit(contract, [[1, "600"]], { batchId: "cancelled", ...WAIT });
  await cancelBatch(ann(), { contractAddress: contract, batchId: "cancelled", reason: "Wrong amount" });
  await finalize();
  await submit(contract, [[1, "700"]], { batchId: "after", ...WAIT });
  expect(await reviewed(contract)).toMatchObject([
    { id: "finalized", findings: { comparedWith: 1, total: { times: "50" } } },
    { id: "cancelled", findings: { comparedWith: 1, total: { times: "60" } } },
  ]);
  const after = { contractAddress: contract, batchId: "after" };
  expect((await reviewBatch(context(), after)).comparedWith).toBe(2);
});

test("a payout of several batches is reviewed by its total, against those of earlier payouts", async () => {
  const contract = await newContract();
  for (const each of [["10"], ["10", "10"]])
    await submit({ ...batchOf(contract, paying(...each)), payoutId: "split" });
  await finalize();
  const payout = { id: "p", part: 2, partCount: 3, fileName: "p.csv", readAs: "", points: "90" };
  const batch = { ...batchOf(contract, paying("30"), { batchId: "p.2", ...WAIT }), payout };
  const { total } = await reviewNewBatch(ann(), batch, await dryRunSubmit(ann(), LIMITS, batch));
  expect(total).toMatchObject({ level: "unusual", points: "90", times: "3", isOfPayout: true });
  await submitBatch(ann(), LIMITS, batch);
  expect(await reviewed(contract)).toMatchObject([{ id: "p.2", findings: { total } }]);
});

test("each kind of finding is stored a single transfer that is far larger than usual, in a batch with a usual total", async () => {
  const contract = await newContract();
  const rows = (points: string) => Array.from({ length: 10 }, (_, at) => [at + 1, points] as const);
  await submit(contract, rows("1"), { batchId: "spread" });
  await finalize();
  await submit(contract, [[1, "3"], ...rows("0.9").slice(1, 8)], { batchId: "lopsided", ...WAIT });
  await submit(contract, [[1, "2.9"], ...rows("0.8").slice(1, 8)], { batchId: "nearly", ...WAIT });
  expect(await reviewed(contract)).toMatchObject([
    { id: "lopsided", findings: { total: { level: "expected" }, largestTransfer: { level: "unusual" } } },
  ]);
});

test("each kind of finding is stored half of several recipients are new, in a batch of at least the usual total, also of 2,000 of which only some are drawn", async () => {
  const contract = await newContract();
  const rows = (from: number, points: string) =>
    Array.from({ length: 2000 }, (_, at) => [from + at, points] as const);
  for (let batch = 0; batch < 10; batch++)
    await submit(contract, paying("1", `1.${batch}`), { batchId: `usual-${batch}` });
  await finalize();
  const send = (batchId: string, of: readonly (readonly [number, string])[]) =>
    submit(contract, of, { batchId, ...WAIT });
  await send("never-paid", [[8, "0.1"]]);
  await cancelBatch(ann(), { contractAddress: contract, batchId: "never-paid", reason: "Wrong" });
  await send("half", [[1, "1.5"] as const, [8, "1.5"] as const]);
  await send("small", [[1, "0.5"] as const, [10, "0.5"] as const]);
  await send("a-third", [[1, "0.9"] as const, [2, "1.1"] as const, [9, "1"] as const]);
  await send("one", [[7, "2"]]);
  await send("most", rows(0x20_0000, "0.002"));
  expect((await reviewed(contract)).filter(({ id }) => !id.startsWith("usual-"))).toMatchObject([
    { id: "half", findings: { recipients: { level: "unusual", new: 1, percent: 50 } } },
    { id: "most", findings: { recipients: { total: 2000, new: 2000, percent: 100 } } },
  ]);
});

test("each kind of finding is stored more than half of a PREFUNDED contract's points", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "1000" });
  await submit(contract, [[1, "480"]], { batchId: "less", ...WAIT });
  await reviewAll(db);
  await submit(contract, [[1, "261"]], { batchId: "half-of-the-rest" });
  await finalize();
  expect(await reviewed(contract)).toMatchObject([
    { id: "half-of-the-rest", findings: { share: { level: "unusual", percent: 50 } } },
  ]);
});

test("each kind of finding is stored several transfers that were submitted before, but not one transfer to one wallet", async () => {
  const contract = await contractWithHistory();
  for (const batchId of ["one", "one-again"]) await submit(contract, [[1, "5"]], { batchId, ...WAIT });
  await submit(contract, TWO, { batchId: "two", ...WAIT });
  await submit(contract, TWO, { batchId: "two-again", ...WAIT });
  expect(await reviewed(contract)).toMatchObject([
    { id: "two-again", findings: { repeats: { level: "unusual", batches: [{ id: "two" }] } } },
  ]);
  expect(
    (await reviewBatch(context(), { contractAddress: contract, batchId: "one-again" })).repeats.level,
  ).toBe("notable");
});

test("a batch that repeats a cancelled one is recognized before its submit, after what is paid, and stored", async () => {
  const contract = await contractWithHistory();
  const rows = [61, 62].map((to) => [to, "3"] as const);
  for (const batchId of ["paid", "wrong"]) await submit(contract, rows, { batchId, ...WAIT });
  await cancelBatch(ann(), { contractAddress: contract, batchId: "wrong", reason: "Twice the budget" });
  const cancelledBy = "staff:ann@example.com";
  const batches = [
    { id: "paid" },
    { id: "wrong", status: "CANCELLED", cancelReason: "Twice the budget", cancelledBy },
  ];
  const again = batchOf(contract, rows, { batchId: "again", secondsToFinalize: 7200 });
  const before = await reviewNewBatch(ann(), again, await dryRunSubmit(ann(), LIMITS, again));
  expect(before.repeats).toMatchObject({ level: "unusual", batches });
  await submit(again);
  expect((await reviewed(contract))[1]).toMatchObject({ id: "again", findings: { repeats: { batches } } });
  for (const batchId of ["3", "4", "5", "6"]) await submit(contract, rows, { batchId, ...WAIT });
  const { repeats } = await reviewNewBatch(ann(), { ...again, corrects: "wrong" }, { points: "6" });
  expect(repeats.batches.at(-1)).toMatchObject({ id: "wrong", isCorrected: true });
});

test("before its submit, what another contract pays is paid again, unless that is undone", async () => {
  const [contract, other] = [await newContract(), await newContract()];
  const rows = [71, 72].map((to) => [to, "2"] as const);
  const theirs = batchOf(other, rows, { batchId: "theirs", ...WAIT });
  await submit(theirs);
  const again = { ...theirs, contractAddress: contract, batchId: "again" };
  const repeats = async () =>
    (await reviewNewBatch(ann(), again, await dryRunSubmit(ann(), LIMITS, again))).repeats.batches;
  const contractAddress = expect.stringMatching(new RegExp(other, "i"));
  const found = { id: "theirs", status: "PENDING", contractAddress, contractLabel: expect.any(String) };
  expect(await repeats()).toEqual([found]);
  await cancelBatch(ann(), { contractAddress: other, batchId: "theirs", reason: "Wrong" });
  expect(await repeats()).toEqual([]);
  await submit({ ...theirs, batchId: "paid", secondsToFinalize: 0 });
  await finalize();
  expect(await repeats()).toEqual([{ ...found, id: "paid", status: "FINALIZED" }]);
  await reverseBatch(ann(), LIMITS, { contractAddress: other, batchId: "paid", secondsToFinalize: 0 });
  await finalize();
  expect(await repeats()).toEqual([]);
});

/** Wallets 1 to 10, each a different amount. */
const TEN = Array.from({ length: 10 }, (_, at) => [at + 1, `${at + 1}.5`] as const);
const found = async (contract: string) =>
  (await reviewed(contract)).map(({ id, findings }) => {
    const { level, batches } = findings.repeats as unknown as BatchReview["repeats"];
    return [id, level, batches.map(({ cancelReason: _, cancelledBy: __, status: ___, ...batch }) => batch)];
  });

test("a repeat in another order and with another wait is found before its submit and after", async () => {
  const contract = await newContract();
  await submit(contract, TEN, { batchId: "order-1", ...WAIT });
  const again = batchOf(contract, [...TEN].reverse(), { batchId: "order-2", secondsToFinalize: 7200 });
  const before = await reviewNewBatch(ann(), again, await dryRunSubmit(ann(), LIMITS, again));
  await submit(again);
  expect(await found(contract)).toEqual([["order-2", "unusual", [{ id: "order-1" }]]]);
  const batches = before.repeats.batches.filter(({ contractAddress }) => !contractAddress);
  expect((await stored(contract))[0]!.findings.repeats).toEqual({ ...before.repeats, batches });
});

test("a batch that pays again what an earlier one pays with one row changed, or as a part of it, or with more rows, is found while that one is unfinished or recent", async () => {
  const contract = await newContract();
  await submit(contract, TEN, { batchId: "paid" });
  await finalize();
  await submit(contract, [...TEN.slice(0, 9), [99, "10.5"]], { batchId: "changed", ...WAIT });
  expect(await found(contract)).toEqual([
    ["changed", "unusual", [{ id: "paid", shared: 9, transferCount: 10 }]],
  ]);
  const other = await newContract();
  await submit(other, TEN, { batchId: "whole", ...WAIT });
  await submit(other, TEN.slice(2, 5), { batchId: "part", ...WAIT });
  await submit(other, [...TEN, [50, "1"], [51, "1"]], { batchId: "more", ...WAIT });
  expect(await found(other)).toEqual([
    ["part", "unusual", [{ id: "whole", shared: 3, transferCount: 10 }]],
    [
      "more",
      "unusual",
      [
        { id: "part", shared: 3, transferCount: 3 },
        { id: "whole", shared: 10, transferCount: 10 },
      ],
    ],
  ]);
});

test("a batch that pays again what an earlier one pays is not one with half of the rows, other amounts, the other point type or of another contract, or after a cancel", async () => {
  const [contract, other] = [await newContract(), await newContract()];
  await submit(contract, TEN, { batchId: "first", ...WAIT });
  const half = [...TEN.slice(0, 5), ...TEN.slice(5).map(([to]) => [to, "1"] as const)];
  await submit(contract, half, { batchId: "half", ...WAIT });
  await submit(contract, TEN, { batchId: "gold", pointType: "PHASE2_GOLD", ...WAIT });
  await submit(other, TEN, { batchId: "theirs", ...WAIT });
  await submit(other, [...TEN.slice(0, 9), [99, "1"]], { batchId: "stopped", ...WAIT });
  await cancelBatch(ann(), { contractAddress: other, batchId: "theirs", reason: "Wrong" });
  await cancelBatch(ann(), { contractAddress: other, batchId: "stopped", reason: "Wrong" });
  await submit(other, [...TEN.slice(0, 9), [98, "1"]], { batchId: "corrected", ...WAIT });
  expect(await found(contract)).toEqual([]);
  expect(await found(other)).toEqual([]);
});

test("reviewing ends at its time limit after one full comparison, and the next call continues there", async () => {
  const contract = await contractWithHistory();
  for (const [batchId, points] of [
    ["small-1", "1"],
    ["large-1", "500"],
    ["small-2", "2"],
    ["large-2", "600"],
    ["small-3", "3"],
  ] as const)
    await submit(contract, [[1, points]], { batchId, ...WAIT });
  await indexAll(db);
  const isOver = performance.now();
  expect(await reviewNewBatches(db, isOver)).toBe(3);
  expect(await storedIds(contract)).toEqual(["large-1"]);
  expect(await reviewNewBatches(db, isOver)).toBe(2);
  expect(await storedIds(contract)).toEqual(["large-1", "large-2"]);
  expect(await reviewNewBatches(db, isOver)).toBe(0);
});

test("a batch whose total is unusual is reviewed before its turn, however many are in front of it, and again in its turn", async () => {
  const contract = await contractWithHistory();
  const other = await newContract();
  // More than one turn reviews.
  await times(120, (at) => submit(contract, [[1, "1"]], { batchId: `front-${at}`, ...WAIT }));
  await submit(contract, [[1, "800"]], { batchId: "eighty", secondsToFinalize: 10 });
  await submit(contract, [[1, "11"]], { batchId: "ordinary", ...WAIT });
  await submit(other, [[1, "800"]], { batchId: "of-another-without-history", ...WAIT });
  await submit(contract, [[1, "900"]], { batchId: "on-hold", ...WAIT });
  await holdBatch(ann(), { contractAddress: contract, batchId: "on-hold", reason: "looks odd" });
  await submit(contract, paying("7", "800"), { batchId: "ninety", ...WAIT });
  // Neither the index by recipient nor any turn has reached them.
  await catchUpReviews(db, 0);
  expect(await stored(contract)).toMatchObject([
    { id: "eighty", level: "alarming", findings: { total: { times: "80" } } },
    { id: "ninety", level: "alarming" },
  ]);
  await db.sql`update batch_reviews set findings = '{}', reviewed_at = now() - interval '1 hour'`;
  const reviewedAt = async () =>
    await db.sql`select reviewed_at from batch_reviews order by batch_seq limit 1`;
  const before = await reviewedAt();
  expect((await reviewed(contract)).map(({ id, findings }) => [id, findings.total!.level])).toEqual(
    ["eighty", "on-hold", "ninety"].map((id) => [id, "alarming"]),
  );
  expect(await reviewedAt()).toEqual(before);
});

test("reviewing that fails halfway stores nothing and does not stop its caller; the next one starts over", async () => {
  const contract = await contractWithHistory();
  for (const batchId of ["d-1", "d-2"]) await submit(contract, [[1, "500"]], { batchId, ...WAIT });
  await indexAll(db);
  await db.sql.unsafe(`
      create function refuse_second() returns trigger language plpgsql as $$ begin
        if (select count(*) from batch_reviews where contract_address = new.contract_address) > 0 then
          raise exception 'no' using errcode = 'disk_full'; end if; return new; end $$;
      create trigger refuse_second before insert on batch_reviews for each row execute function refuse_second()`);
  await catchUpReviews(db, 1);
  expect(await storedIds(contract)).toEqual([]);
  await db.sql.unsafe("drop function refuse_second() cascade");
  await catchUpReviews(db, 1);
  expect(await storedIds(contract)).toEqual(["d-1", "d-2"]);
});

test.each([
  ["is stopped because it takes too long", "query_canceled"],
  ["fails for a reason of its own", "raise_exception"],
])(
  "reviewing a batch whose review %s does not keep later batches from being reviewed",
  async (_, errcode) => {
    const contract = await contractWithHistory();
    for (const batchId of ["e-1", "e-2", "e-3"]) await submit(contract, [[1, "500"]], { batchId, ...WAIT });
    await indexAll(db);
    await db.sql.unsafe(`
      create function refuse_one() returns trigger language plpgsql as $$ begin
        if (select id from batches where seq = new.batch_seq) = 'e-2' then
          raise exception 'no' using errcode = '${errcode}'; end if; return new; end $$;
      create trigger refuse_one before insert on batch_reviews for each row execute function refuse_one()`);
    const warn = vi.spyOn(log(), "warn");
    await catchUpReviews(db, 60);
    expect(await storedIds(contract)).toEqual(["e-1", "e-3"]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ contractAddress: contract }),
      "a new batch could not be reviewed",
    );
    warn.mockRestore();
    await db.sql.unsafe("drop function refuse_one() cascade");
    expect(await reviewAll(db)).toBe(0);
  },
);

test("reviewing has a time limit per statement that is shorter than the database's, because due batches wait for it", async () => {
  const contract = await contractWithHistory();
  await submit(contract, [[1, "500"]], { batchId: "limited", ...WAIT });
  await db.sql.unsafe(`
      create function note_limit() returns trigger language plpgsql as $$ begin
        new.findings := new.findings || jsonb_build_object('limit', current_setting('statement_timeout')); return new; end $$;
      create trigger note_limit before insert on batch_reviews for each row execute function note_limit()`);
  await reviewAll(db);
  await db.sql.unsafe("drop function note_limit() cascade");
  expect(await stored(contract)).toMatchObject([{ findings: { limit: "2s" } }]);
});

test("a review and a hold lock batches in one order, whatever the order of their creation", async () => {
  const contractAddress = await contractWithHistory();
  await setRule(db, contractAddress, { onUnusual: true });
  const batchIds = ["b1", "b2"];
  for (const batchId of batchIds) await submit(contractAddress, [[1, "1"]], { batchId, ...WAIT });
  await withoutTriggers(
    db,
    `update batches b set created_at = n.at, finalize_at = n.at + b.wait_seconds * interval '1 s'
      from (select created_at + interval '1 ms' as at from batches where id = 'b2') as n where b.id = 'b1'`,
  );
  await indexAll(db);
  const other = await db.sql.reserve();
  await other`begin`;
  await other`select from batches where id = 'b1' for update`;
  const held = holdGroup(ann(), { contractAddress, batchIds, reason: "wait" });
  await untilBlocked(db);
  const reviewed = reviewNewBatches(db);
  await untilBlocked(db, 2);
  await other`rollback`;
  other.release();
  expect(await Promise.all([held, reviewed])).toEqual([2, 2]);
});
