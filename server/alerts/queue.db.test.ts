import { beforeEach, expect, test } from "vitest";
import { approveBatch } from "@/server/batches/change/approve-batch";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { countViews } from "@/server/batches/list/count-batches";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import type { ServiceContext } from "@/server/kernel/context";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { batchOf, LIMITS, setRule, shifted, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { batchConditions } from "./find-conditions";
import { markSeen } from "./inbox";
import { readQueue, summarizeQueue } from "./queue";

const { db, context, newContract, submit, finalize } = useLedger({ balances: false });

const [ANN, BOB] = ["ann@example.com", "bob@example.com"] as const;
const as = (email: string): ServiceContext => context(`staff:${email}`);
const cards = async (email: string = BOB) => (await readQueue(as(email))).cards;
const said = async (email?: string) =>
  (await cards(email)).map(
    ({ kind, severity, title }) => `${severity} ${kind}: ${title.replace(/ of .*:/, ":")}`,
  );

beforeEach(
  () =>
    db.sql`truncate alerts, alert_views, batches, batch_transfers, batch_reviews, payout_parts,
      recipient_transfers, accounts, issuances, contracts, approval_rules cascade`,
);

const LEVELS = {
  total: "expected",
  largestTransfer: "expected",
  repeats: "expected",
  recipients: "expected",
};
type Finding = keyof typeof LEVELS;
type Level = "unusual" | "alarming";

/** A review of which only the given findings are odd. */
const findingsOf = (level: Level, odd: readonly Finding[]) => ({
  level,
  share: null,
  ...Object.fromEntries(
    Object.entries(LEVELS).map(([name, usual]) => [
      name,
      {
        ...{ level: odd.includes(name as Finding) ? level : usual, batches: [] },
        ...{ points: "10", times: "80", usual: null, isRecord: true },
        ...{ total: 10, new: 9, percent: 90 },
      },
    ]),
  ),
});

async function review(batchId: string, level: Level, odd: readonly Finding[] = ["total"]) {
  const findings = findingsOf(level, odd);
  const alerts = odd.some((name) => name !== "recipients");
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    select contract_address, seq, created_at, ${level}, ${JSON.stringify(findings)}::text::jsonb, now(),
      case when ${alerts} then finalize_at end
    from batches where id = ${batchId}`;
}

async function unusual(batchId = "odd", due = 3600, level: Level = "alarming") {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: due });
  await review(batchId, level);
  return { contractAddress, batchId, reason: "looked at it" };
}

const makeDue = () =>
  withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -7200)}, finalize_at = ${shifted("finalize_at", -7200)}`,
  );

/** A payout's parts, as the console stores them: on hold until it is released, if it is not. */
async function payout(
  payoutId: string,
  { isReleased = true, parts = 3, by = `staff:${ANN}`, ageSeconds = 120 } = {},
) {
  const contractAddress = await newContract();
  for (let part = 1; part <= parts; part++) {
    const batchId = `${payoutId}.00${part}`;
    const batch = batchOf(contractAddress, [[part, "10"]], { batchId, secondsToFinalize: 3600 });
    await submitBatch(context(by), LIMITS, batch);
    await db.sql`
      insert into payout_parts (contract_address, batch_seq, payout_id, part, part_count, file_name)
      select contract_address, seq, ${payoutId}, ${part}, 3, ${`${payoutId}.csv`} from batches where id = ${batchId}`;
    if (!isReleased)
      await withoutTriggers(
        db,
        `update batches set held_at = created_at, held_by = submitted_by, hold_reason = 'Waits for the rest.',
          held_for_payout = true, created_at = ${shifted("created_at", -ageSeconds)} where id = '${batchId}'`,
      );
  }
  return contractAddress;
}

const CURES = {
  hold: { cure: () => (key: Key) => holdBatch(as(ANN), key), left: ["warning hold: Batch: odd"] },
  cancel: { cure: () => (key: Key) => cancelBatch(as(ANN), key), left: [] },
  finalization: {
    cure: () => async () => {
      await makeDue();
      await finalize();
    },
    left: [],
  },
};
type Key = Awaited<ReturnType<typeof unusual>>;

test.each(Object.entries(CURES))(
  "a %s ends an alert, or changes its words, when it commits: the next read shows it, with no look in between",
  async (_, { cure, left }) => {
    const key = await unusual();
    // So that its review stays among those that are read.
    await submit(key.contractAddress, [[1, "1"]], { batchId: "other", secondsToFinalize: 1800 });
    expect(await said()).toEqual(["critical batch: Very unusual batch: odd"]);
    expect(await summarizeQueue(as(BOB))).toMatchObject({ unseenCount: 1, first: { severity: "critical" } });
    await cure()(key);
    expect(await said()).toEqual(left);
    expect((await summarizeQueue(as(BOB))).unseenCount).toBe(left.length);
  },
);

test("a release brings the alert back immediately, and an approval ends what waited for it", async () => {
  const key = await unusual();
  await holdBatch(as(ANN), key);
  await releaseBatch(as(BOB), key);
  expect(await said()).toEqual(["critical batch: Very unusual batch: odd"]);
  await cancelBatch(as(ANN), key);

  const contractAddress = await newContract();
  await setRule(db, contractAddress, { threshold: "1" });
  await submit(contractAddress, [[1, "5"]], { batchId: "waits", secondsToFinalize: 3600 });
  expect(await said()).toEqual(["warning approval: Batch: waits"]);
  await approveBatch(as(ANN), { contractAddress, batchId: "waits", reason: "is right" });
  expect(await said()).toEqual([]);
});

test("a payout is one alert, not one for each of its batches, and none to the person who confirmed its review", async () => {
  const contractAddress = await payout("payout-1");
  await review("payout-1.001", "unusual");
  await review("payout-1.002", "alarming");
  await review("payout-1.003", "unusual");
  expect(await cards(ANN)).toEqual([]);
  const [card, ...others] = await cards(BOB);
  expect(others).toEqual([]);
  expect(card).toMatchObject({
    severity: "warning",
    title: expect.stringMatching(/^Very unusual payout of .*: payout-1\.csv, checked by ann@example\.com$/),
    remedy: expect.stringContaining("Its batch payout-1.002 is the most unusual one. Its total is 80 times"),
    path: `/payouts/${contractAddress}/payout-1`,
    batches: {
      batchId: "payout-1.002",
      batchIds: ["payout-1.001", "payout-1.002", "payout-1.003"],
      points: "30",
      transferCount: 3,
    },
  });
  // What is sent says the same, once.
  expect(await batchConditions(as("alerts"))).toMatchObject([{ title: card!.title, remedy: card!.remedy }]);
  await holdBatch(as(BOB), { contractAddress, batchId: "payout-1.002", reason: "looks odd" });
  expect(await said(BOB)).toEqual([
    "warning batch: Unusual payout: payout-1.csv, checked by ann@example.com",
    "warning hold: Payout: payout-1.csv",
  ]);
});

test("points of several types are not added up", async () => {
  await payout("mixed", { by: "token:payouts" });
  await review("mixed.001", "unusual");
  await review("mixed.002", "unusual");
  expect((await cards())[0]!.batches!.points).toBe("20");
  await withoutTriggers(db, "update batches set point_type = 'PHASE2_GOLD' where id = 'mixed.001'");
  expect((await cards())[0]!.batches!.points).toBe(null);
});

test("a payout of an access token that nobody checked is critical", async () => {
  await payout("payout-2", { by: "token:payouts" });
  await review("payout-2.003", "alarming");
  expect(await said()).toEqual(["critical batch: Very unusual payout: payout-2.csv"]);
});

test("what waits is one list: alerts, approvals and payouts by risk and time left, and batches on hold last", async () => {
  const rule = async (batchId: string, due: number, by?: string) => {
    const contractAddress = await newContract();
    await setRule(db, contractAddress, { threshold: "1" });
    const batch = batchOf(contractAddress, [[1, "5"]], { batchId, secondsToFinalize: due });
    await submitBatch(context(by), LIMITS, batch);
  };
  await holdBatch(as(ANN), await unusual("held", 60));
  await rule("approve-later", 7200);
  await rule("of-bob", 7200, `staff:${BOB}`);
  await unusual("unusual-soon", 1800, "unusual");
  await payout("stuck", { isReleased: false, parts: 2 });
  await payout("being-stored", { isReleased: false, parts: 2, ageSeconds: 0 });
  await unusual("very-unusual-late", 86_400);
  await db.sql`insert into alerts (kind, subject, severity, title, remedy, path)
    values ('tick', '', 'critical', 'No finalizer is running', 'x', '/'), ('points', 'c', 'warning', 'Low', 'x', '/')`;
  expect(await said()).toEqual([
    "critical tick: No finalizer is running",
    "critical batch: Very unusual batch: very-unusual-late",
    "warning batch: Unusual batch: unusual-soon",
    "warning payout: Payout: stuck.csv",
    "warning approval: Batch: approve-later",
    "warning points: Low",
    "warning hold: Batch: held",
  ]);
  expect((await cards())[3]!.remedy).toContain("2 of its 3 batches are on hold and not paid.");
});

test("on a good day nothing waits, and the next due time is that of the first batch that nobody stopped", async () => {
  expect(await summarizeQueue(as(BOB))).toMatchObject({ first: null, unseenCount: 0, nextDueAt: null });
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "1"]], { batchId: "overdue", secondsToFinalize: 0 });
  await submit(contractAddress, [[1, "1"]], { batchId: "next", secondsToFinalize: 3600 });
  await submit(contractAddress, [[1, "1"]], { batchId: "later", secondsToFinalize: 7200 });
  const [next] = await db.sql<{ at: Date }[]>`select finalize_at as at from batches where id = 'next'`;
  expect(await summarizeQueue(as(BOB))).toMatchObject({
    first: null,
    nextDueAt: new Date(next!.at).toISOString(),
  });
});

test("who has seen a card no longer has it in their count, until what it says becomes another thing", async () => {
  const key = await unusual();
  const [card] = await cards();
  await markSeen(as(BOB), BOB, { cardIds: [card!.id] });
  expect((await summarizeQueue(as(BOB))).unseenCount).toBe(0);
  expect((await summarizeQueue(as(ANN))).unseenCount).toBe(1);
  expect(await cards()).toMatchObject([{ seenBy: [{ email: BOB }] }]);
  await holdBatch(as(ANN), key);
  expect((await summarizeQueue(as(BOB))).unseenCount).toBe(1);
});

test("a batch that joins a payout whose card somebody has seen is not hidden by that", async () => {
  const contractAddress = await newContract();
  const join = async (batchId: string, ...of: [Level]) => {
    const batch = batchOf(contractAddress, [[1, "1"]], { batchId, secondsToFinalize: 3600 });
    await submitBatch(context(), LIMITS, { ...batch, payoutId: "season" });
    await review(batchId, ...of);
  };
  const see = async () => {
    for (const { id } of await cards()) await markSeen(as(BOB), BOB, { cardIds: [id] });
  };
  const unseen = async () => (await summarizeQueue(as(BOB))).unseenCount;
  await join("a", "alarming");
  await see();
  expect(await unseen()).toBe(0);
  await join("b", "alarming");
  expect(await unseen()).toBe(1);
  expect(await cards()).toMatchObject([{ seenBy: [] }]);
  await see();
  expect(await unseen()).toBe(0);
  await cancelBatch(as(ANN), { contractAddress, batchId: "b" });
  expect(await unseen()).toBe(0);
  await holdBatch(as(ANN), { contractAddress, batchId: "a", reason: "looks odd" });
  await see();
  expect(await unseen()).toBe(0);
  await join("c", "alarming");
  await holdBatch(as(ANN), { contractAddress, batchId: "c", reason: "looks odd" });
  expect(await unseen()).toBe(1);
});

test("the list of unusual batches has the most severe first, then the largest, and leaves out what is done or only pays new wallets", async () => {
  const contractAddress = await newContract();
  const add = async (batchId: string, points: string, ...of: [Level, Finding[]?]) => {
    await submit(contractAddress, [[1, points]], { batchId, secondsToFinalize: 3600 });
    await review(batchId, ...of);
  };
  await add("unusual-small", "10", "unusual");
  await add("very-unusual-small", "5", "alarming");
  await add("new-wallets", "9000", "unusual", ["recipients"]);
  await add("unusual-large", "1000", "unusual");
  await add("very-unusual-large", "500", "alarming");
  await add("cancelled", "7", "alarming");
  await add("held", "8", "alarming");
  await cancelBatch(as(ANN), { contractAddress, batchId: "cancelled" });
  await holdBatch(as(ANN), { contractAddress, batchId: "held", reason: "looks odd" });
  const listed = async () =>
    (await listConsoleBatches(as(BOB), { unusual: true, sort: "RISK" })).batches.map(({ id }) => id);
  const order = ["very-unusual-large", "held", "very-unusual-small", "unusual-large", "unusual-small"];
  expect(await listed()).toEqual(order);
  expect((await countViews(as(BOB))).unusual).toBe(order.length);
  expect((await cards()).some(({ title }) => title.includes("new-wallets"))).toBe(false);
  await makeDue();
  await finalize();
  expect(await listed()).toEqual(["held"]);
});

/** Batches of one contract, not one by one. @param more columns and their values */
const many = (contract: string, count: number, from: number, more: Record<string, string> = {}) =>
  withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, ${Object.keys(more).join(", ")})
     select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS',
       'PENDING', 1, 1, 7200, sha256(n::text::bytea), 'token:test', 'r', now(),
       now() + interval '2 hours' + n * interval '1 second', ${Object.values(more).join(", ")}
     from generate_series(${from}, ${from + count - 1}) as n`,
  );

test("with thousands on hold, an approval that is due after them is still found, by the alert about its contract", async () => {
  const held = await newContract();
  await many(held, 1100, 1, { held_at: "now()", held_by: "'staff:ann@example.com'", hold_reason: "'stop'" });
  await db.sql`insert into alerts (kind, subject, severity, title, remedy, path)
    values ('approval', 'c', 'warning', 'Batches of Other await approval', 'x', '/')`;
  const { cards: shown, count, isWhole } = await readQueue(as(BOB));
  expect(isWhole).toBe(false);
  expect(shown[0]).toMatchObject({ kind: "approval", title: "Batches of Other await approval" });
  expect(count).toBe(1001);
  expect((await summarizeQueue(as(BOB))).unseenCount).toBe(100);
});

test("up to a thousand cards are counted exactly, and more are called a minimum", async () => {
  const held = { held_at: "now()", held_by: "'staff:ann@example.com'", hold_reason: "'stop'" };
  await many(await newContract(), 999, 1, held);
  expect(await readQueue(as(BOB))).toMatchObject({ count: 999, isWhole: true });
  await many(await newContract(), 2, 2000, held);
  expect(await readQueue(as(BOB))).toMatchObject({ count: 1000, isWhole: false });
});

test("what every page asks for reads open batches from indexes, and no row of the history", async () => {
  const contract = await newContract();
  await withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
     select decode('${contract.slice(2)}', 'hex'), 'f-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 1, 7200,
       sha256(n::text::bytea), 'token:test', 'r', now() - interval '3 hours', now() - interval '1 hour', now(), now()
     from generate_series(1, 20000) as n`,
  );
  await many(contract, 500, 30_000, { updated_at: "null" });
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    select contract_address, seq, created_at, 'unusual', ${JSON.stringify(findingsOf("unusual", ["total"]))}::text::jsonb, now(),
      finalize_at
    from batches`;
  await db.sql`vacuum analyze batches, batch_reviews, payout_parts`;
  const { result, sent } = await statementsOf(db.url, (sql) =>
    summarizeQueue({ ...as(BOB), db: { ...db, sql } }),
  );
  expect(result.unseenCount).toBe(100);
  const plans = [];
  for (const { text, values } of sent)
    if (/batches/.test(text)) plans.push(...(await explain(db, text, values, { analyze: true })));
  const nodes = nodesOf(plans);
  expect(
    nodes.filter((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "batches"),
  ).toEqual([]);
  expect(nodes.map((node) => node["Index Name"])).toEqual(
    expect.arrayContaining(["batch_reviews_by_due", "batches_blocked", "batches_due"]),
  );
  expect(rowsRead(nodes, ["batch_reviews"])).toBeLessThan(600);
  expect(rowsRead(nodes, ["batches"])).toBeLessThan(1200);
});
