import { drizzle } from "drizzle-orm/postgres-js";
import { beforeEach, expect, test } from "vitest";
import { decideChange, proposeChange } from "@/server/approvals/changes";
import { payoutTarget } from "@/server/audit/audit-person-change";
import { previewBulk } from "@/server/batches/bulk/preview-bulk";
import { approveBatch } from "@/server/batches/change/approve-batch";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import type { ServiceContext } from "@/server/kernel/context";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import {
  allocationOf,
  batchOf,
  LIMITS,
  setRule,
  shifted,
  snapshotOf,
  wallet,
  withoutTriggers,
} from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { approvalConditions, batchConditions } from "./find-conditions";
import { listEnded } from "./inbox";
import { markSeen, readQueue, summarizeQueue } from "./queue";

const { db, context, newContract, submit, finalize } = useLedger({ balances: false });

const [ANN, BOB, CEM] = ["ann@example.com", "bob@example.com", "cem@example.com"] as const;
const as = (email: string): ServiceContext => context(`staff:${email}`);
const cards = async (email: string = BOB) => (await readQueue(as(email))).cards;
const see = async (email: string = BOB, isSeen = true) =>
  await markSeen(as(email), { cardIds: (await cards(email)).flatMap(({ id }) => [id, id]), isSeen });
const said = async (email?: string) =>
  (await cards(email)).map(
    ({ kind, severity, title }) => `${severity} ${kind}: ${title.replace(/ of .*:/, ":")}`,
  );

beforeEach(
  () =>
    db.sql`truncate alerts, alert_views, batches, batch_transfers, batch_reviews, payout_parts,
      recipient_transfers, accounts, issuances, contracts, approval_rules, contract_changes, staff cascade`,
);

type Level = "unusual" | "alarming";

/** A review of which one finding is odd. */
const findingsOf = (level: Level, odd: "total" | "recipients") => ({
  level,
  [odd]: { level, points: "10", times: "80", total: 10, new: 9, percent: 90 },
});

async function review(batchId: string, level: Level, odd: "total" | "recipients" = "total") {
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    select contract_address, seq, created_at, ${level}, ${JSON.stringify(findingsOf(level, odd))}::text::jsonb, now(),
      case when ${odd}::text = 'total' then finalize_at end
    from batches where id = ${batchId}`;
}

async function unusual(batchId = "odd", due = 3600, level: Level = "alarming") {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: due });
  await review(batchId, level);
  return { contractAddress, batchId, reason: "looked at it" };
}

/** A batch that awaits approval. */
async function waiting(batchId: string, due = 3600, by?: string) {
  const contractAddress = await newContract();
  await setRule(db, contractAddress, { threshold: "1" });
  const batch = batchOf(contractAddress, [[1, "5"]], { batchId, secondsToFinalize: due });
  await submitBatch(context(by), LIMITS, batch);
  return { contractAddress, batchId, reason: "looked at it" };
}

const makeDue = (seconds = 7200) =>
  withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -seconds)}, finalize_at = ${shifted("finalize_at", -seconds)}`,
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

type Key = Awaited<ReturnType<typeof unusual>>;
const CURES: Record<string, (key: Key) => Promise<unknown>> = {
  hold: (key) => holdBatch(as(ANN), key),
  cancel: (key) => cancelBatch(as(ANN), key),
  finalization: () => makeDue().then(() => finalize()),
};

test.each(Object.entries(CURES))(
  "a %s ends an alert when it commits: the next read shows it, with no look in between",
  async (_, cure) => {
    const key = await unusual();
    // So that its review stays among those that are read.
    await submit(key.contractAddress, [[1, "1"]], { batchId: "other", secondsToFinalize: 1800 });
    expect(await said()).toEqual(["critical batch: Very unusual batch: odd"]);
    expect(await summarizeQueue(as(BOB))).toMatchObject({ unseenCount: 1, first: { severity: "critical" } });
    await cure(key);
    expect(await said()).toEqual([]);
    expect((await summarizeQueue(as(BOB))).unseenCount).toBe(0);
  },
);

test("a release brings the alert back immediately, and an approval ends what waited for it", async () => {
  const key = await unusual();
  await holdBatch(as(ANN), key);
  await releaseBatch(as(BOB), key);
  expect(await said()).toEqual(["critical batch: Very unusual batch: odd"]);
  await cancelBatch(as(ANN), key);

  const waits = await waiting("waits");
  expect(await said()).toEqual(["warning approval: Batch: waits"]);
  await approveBatch(as(ANN), waits);
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
    remedy: expect.stringContaining(
      "Its batch payout-1.002 is the most unusual one. The total is 10, 80 times",
    ),
    path: `/payouts/${contractAddress}/payout-1`,
    batches: {
      batchId: "payout-1.002",
      batchIds: ["payout-1.001", "payout-1.002", "payout-1.003"],
      points: "30",
      transferCount: 3,
    },
  });
  // What is sent says the same, once.
  expect(await batchConditions(as("alerts"))).toMatchObject([
    { title: card!.title, remedy: expect.stringMatching(/batches had\. It is due at .* UTC\. Review/) },
  ]);
  await holdBatch(as(BOB), { contractAddress, batchId: "payout-1.002", reason: "looks odd" });
  expect(await said(BOB)).toEqual([
    "warning batch: Unusual payout: payout-1.csv, checked by ann@example.com",
  ]);
});

test("a payout that nobody checked is critical, and points of several types are not added up", async () => {
  await payout("mixed", { by: "token:payouts" });
  await review("mixed.001", "unusual");
  await review("mixed.002", "alarming");
  expect(await said()).toEqual(["critical batch: Very unusual payout: mixed.csv"]);
  expect((await cards())[0]!.batches!.points).toBe("20");
  await withoutTriggers(db, "update batches set point_type = 'PHASE2_GOLD' where id = 'mixed.001'");
  expect((await cards())[0]!.batches!.points).toBe(null);
});

test("what waits is one list: alerts, approvals and payouts by risk and time left, and batches on hold last", async () => {
  await holdBatch(as(ANN), await unusual("held", 60));
  await withoutTriggers(db, "update batches set held_at = now() - interval '24 hours'");
  await waiting("approve-later", 7200);
  await waiting("of-bob", 7200, `staff:${BOB}`);
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
  expect((await cards())[3]!.remedy).toContain("2 of its 3 batches are on hold and not paid. The others");
});

test("on a good day nothing waits, and the next due time is that of the first batch that nobody stopped", async () => {
  const contractAddress = await newContract();
  await holdBatch(as(BOB), await unusual("held", 60));
  const stopped = { HELD: 1, AWAITING_APPROVAL: 0 };
  expect(await summarizeQueue(as(BOB))).toMatchObject({ openCount: 0, stopped, nextDueAt: null });
  await submit(contractAddress, [[1, "1"]], { batchId: "next", secondsToFinalize: 3600 });
  await submit(contractAddress, [[1, "1"]], { batchId: "later", secondsToFinalize: 7200 });
  const [next] = await db.sql<{ at: Date }[]>`select finalize_at as at from batches where id = 'next'`;
  expect(await summarizeQueue(as(BOB))).toMatchObject({
    first: null,
    nextDueAt: new Date(next!.at).toISOString(),
  });
});

test("who has seen a card no longer has it in their count, but keeps it in its place, still critical, until they take that back", async () => {
  await unusual("later", 7200, "unusual");
  await unusual("soon", 3500);
  await see();
  const seen = await cards();
  await see();
  expect(await cards()).toEqual(seen);
  const { readAt } = await readQueue(as(BOB));
  await unusual("new", 86_400, "unusual");
  // From a screen that does not show it yet.
  await markSeen(as(BOB), { cardIds: (await cards()).map(({ id }) => id), isSeen: true, readAt });
  expect(await summarizeQueue(as(BOB))).toMatchObject({
    unseenCount: 1,
    openCount: 3,
    criticalCount: 1,
    first: { title: expect.stringMatching(/: new$/) },
  });
  expect((await summarizeQueue(as(ANN))).unseenCount).toBe(3);
  expect(await cards()).toMatchObject([
    { severity: "critical", isSeen: true, seenBy: [{ email: BOB }] },
    { severity: "warning", isSeen: true },
    { severity: "warning", isSeen: false, seenBy: [] },
  ]);
  await see(BOB, false);
  expect((await summarizeQueue(as(BOB))).unseenCount).toBe(3);
});

test("a card is no longer seen once it is about something else", async () => {
  await waiting("waits");
  await see();
  expect((await summarizeQueue(as(BOB))).unseenCount).toBe(0);
  await makeDue();
  expect(await summarizeQueue(as(BOB))).toMatchObject({ unseenCount: 1, criticalCount: 1 });
});

test.each<[number, number, number, ((batchId: string, due: number) => Promise<unknown>)?]>([
  [35, 4, 0],
  [25, 4, 0],
  [25, 6, 1],
  [11, 18, 0],
  [11, 20, 1],
  [9, 2, 1],
  [9, 0, 0],
  [9, 2, 0, unusual],
])(
  "a card due in %i minutes that was seen %i minutes ago is in the count again only if it came back since: 30 and 10 minutes before it is due",
  async (dueMinutes, seenMinutes, unseenCount, make = waiting) => {
    await make("soon", dueMinutes * 60);
    await see();
    await db.sql`update batch_reviews set reviewed_at = reviewed_at - interval '1 hour'`;
    await withoutTriggers(db, "update batches set created_at = created_at - interval '1 hour'");
    await db.sql`update alert_views set seen_at = seen_at - make_interval(mins => ${seenMinutes}::int)`;
    expect(await summarizeQueue(as(BOB))).toMatchObject({ unseenCount, openCount: 1 });
    await see();
    expect((await summarizeQueue(as(BOB))).unseenCount).toBe(0);
  },
);

test("only cards that are there are marked as seen, so a caller's IDs store nothing", async () => {
  for (const batchId of ["seen", "other"]) await unusual(batchId);
  const [card] = await cards();
  const made = Array.from({ length: 99 }, () => crypto.randomUUID());
  await markSeen(as(BOB), { cardIds: [...made, card!.id], isSeen: true });
  expect(await db.sql`select alert_id from alert_views`).toEqual([{ alert_id: card!.id }]);
});

test("a hold is no card for its author, and for others only once its batch is past due or it is a day old", async () => {
  const key = await unusual("held", 7 * 86_400);
  await holdBatch(as(ANN), key);
  expect([await said(ANN), await said(BOB)]).toEqual([[], []]);
  const hold = "warning hold: Batch: held";
  await withoutTriggers(db, `update batches set held_at = held_at - interval '25 hours'`);
  expect([await said(ANN), await said(BOB)]).toEqual([[], [hold]]);
  await withoutTriggers(db, "update batches set held_at = now()");
  expect(await said(BOB)).toEqual([]);
  await makeDue(8 * 86_400);
  expect([await said(ANN), await said(BOB)]).toEqual([[], [hold]]);
});

test("what a second person has approved does not come back as unusual, to anyone", async () => {
  const odd = await waiting("odd");
  await review("odd", "alarming");
  await approveBatch(as(ANN), odd);
  expect([await said(ANN), await said(BOB)]).toEqual([[], []]);
  expect(await batchConditions(as("alerts"))).toEqual([]);
});

/** Ann gave Bob his access, which nobody has confirmed; Cem is a second admin. */
async function threeAdmins() {
  await db.sql`insert into staff (email, role, unconfirmed_by)
    values (${ANN}, 'admin', '{}'), (${BOB}, 'admin', array[${`staff:${ANN}`}]), (${CEM}, 'admin', '{}')`;
}

test("an approval or a proposal is a card only for those who may decide it: not for who made it, who is not confirmed or who gave them access", async () => {
  await threeAdmins();
  const { contractAddress } = await waiting("by-bob", 3600, `staff:${BOB}`);
  const change = { contractAddress, kind: "OPERATOR", operatorAddress: wallet(1), reason: "new" } as const;
  await proposeChange(as(BOB), change);
  const rule = { kind: "RULE", pointType: "PHASE2_GOLD", threshold: "5", onUnusual: false } as const;
  await proposeChange(as(CEM), { contractAddress, ...rule, dayThreshold: null, reason: "large" });
  const kinds = async (email: string) => (await cards(email)).map(({ kind, title }) => `${kind}: ${title}`);
  const access = `proposal: Access of ${BOB} as admin awaits confirmation`;
  const [raised] = await db.sql<{ at: string }[]>`
    insert into audit_log (actor, action, target, request_id, at)
    values (${`staff:${ANN}`}, 'staff.role', ${`staff:${BOB}`}, 'r', now() - interval '1 hour') returning at`;
  const since = new Date(raised!.at).toISOString();
  expect((await cards(CEM)).find(({ title }) => access.endsWith(title))).toMatchObject({ startedAt: since });
  expect(await kinds(CEM)).toEqual([
    expect.stringMatching(/^approval: .*by-bob$/),
    access,
    expect.stringMatching(/^proposal: A change to .* awaits approval: Change of operator$/),
  ]);
  expect([await kinds(ANN), await kinds(BOB), await kinds("viewer@example.com")]).toEqual([
    [expect.stringMatching(/Approval rule for Gold$/)],
    [],
    [expect.stringMatching(/^approval/)],
  ]);
  await db.sql`update staff set unconfirmed_by = '{}'`;
  expect([(await kinds(ANN)).length, (await kinds(BOB)).length]).toEqual([3, 1]);
});

test("a proposal says what is now and what would be, and is gone when it is decided, with no look in between", async () => {
  await threeAdmins();
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "1000" });
  await setRule(db, contractAddress, { threshold: "100" });
  const of = { contractAddress, reason: "season two" };
  const rule = { kind: "RULE", pointType: "PHASE2_POINTS", dayThreshold: null } as const;
  await proposeChange(as(ANN), { ...of, ...rule, threshold: "2500", onUnusual: true });
  await proposeChange(as(ANN), { ...of, kind: "GRANT", pointType: "PHASE2_POINTS", points: "500.5" });
  await proposeChange(as(ANN), { ...of, kind: "ISSUANCE", issuance: "ON_DEMAND" });
  const { changeId } = await proposeChange(context("ops"), {
    ...of,
    kind: "OPERATOR",
    operatorAddress: wallet(1),
  });
  const found = await cards(CEM);
  expect(found.filter(({ change }) => change !== null).map(({ change }) => change)).toEqual([
    {
      what: "Approval rule for Points",
      before: "Batches of 100 Points or more",
      after: "Batches of 2,500 Points or more, and batches whose review finds something unusual",
    },
    {
      what: "Grant of 500.5 Points",
      before: "1,000 Points available",
      after: "1,500.5 Points available",
    },
    { what: "Change of issuance", before: "Prefunded", after: "On demand" },
    { what: "Change of operator", before: "No operator", after: expect.stringMatching(/^0x\w{40}$/) },
  ]);
  expect(found.map(({ remedy }) => remedy)).toEqual(
    expect.arrayContaining([
      `Proposed by ${ANN}: “season two”. Admins other than ${ANN} can approve or reject it on the contract's page.`,
      "Proposed by Command line: “season two”. Admins can approve or reject it on the contract's page.",
    ]),
  );
  await decideChange(as(CEM), "reject", { ...of, changeId });
  expect((await cards(CEM)).length).toBe(found.length - 1);
});

test("an allocation that takes a second admin to publish is a card for those who may", async () => {
  await threeAdmins();
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "5"]]);
  await finalize();
  const scope = { contractAddress, pointType: "PHASE2_POINTS" } as const;
  const { id: snapshotId } = await snapshotOf(db, scope);
  await allocationOf(
    db,
    { ...{ rule: "PRO_RATA", total: "10", decimals: 0 }, snapshotId, name: "May" },
    as(ANN),
  );
  expect(await said(CEM)).toEqual([`warning proposal: Access of ${BOB} as admin awaits confirmation`]);
  await setRule(db, contractAddress, { threshold: "1" });
  const publish = expect.stringMatching(/^warning proposal: Allocation May/);
  expect([await said(ANN), await said(BOB), (await said(CEM))[1]]).toEqual([[], [], publish]);
});

test("an approval names people only: not the token, but who created it", async () => {
  const contractAddress = await newContract();
  await setRule(db, contractAddress, { threshold: "1" });
  const send = (batchId: string, by: ServiceContext) =>
    submitBatch(by, LIMITS, batchOf(contractAddress, [[1, "5"]], { batchId, secondsToFinalize: 3600 }));
  await send("1", context("token:payouts"));
  await send("2", { ...context("token:payouts"), tokenCreatedBy: `staff:${ANN}` });
  await send("3", as(ANN));
  expect((await cards()).map(({ remedy }) => remedy.replace(/^.*is approved\. /, ""))).toEqual([
    "Operators and admins can approve or reject it.",
    ...Array(2).fill(`Operators and admins other than ${ANN} can approve or reject it.`),
  ]);
});

test("a batch on hold that awaits approval is a card of who may approve it, and an alert", async () => {
  const both = await waiting("both", 3600, `staff:${ANN}`);
  await holdBatch(as(BOB), { ...both, reason: "looks odd" });
  const approval = "warning approval: Batch: both";
  expect([await said(ANN), await said(BOB), await said(CEM)]).toEqual([[], [approval], [approval]]);
  await makeDue();
  const hold = "warning hold: Batch: both";
  expect([await said(ANN), await said(BOB), await said(CEM)]).toEqual([[hold], [approval], [approval]]);
  expect((await cards(CEM))[0]!.remedy).toContain(`. It is on hold by ${BOB}: “looks odd”. Operators and`);
  expect(await approvalConditions(as("alerts"))).toMatchObject([{ severity: "warning" }]);
});

test("the take back of a payout is one card beside that of its payments, decided as one", async () => {
  const contractAddress = await payout("big", { by: "token:payouts" });
  await makeDue();
  await finalize();
  await setRule(db, contractAddress, { threshold: "1" });
  for (const part of [1, 2, 3])
    await reverseBatch(as(ANN), LIMITS, { contractAddress, batchId: `big.00${part}`, secondsToFinalize: 60 });
  await submit(contractAddress, [[9, "10"]], { batchId: "alone", secondsToFinalize: 0 });
  await db.sql`
    insert into payout_parts (contract_address, batch_seq, payout_id)
    select contract_address, seq, 'big' from batches where id = 'alone'`;
  await makeDue();
  const found = await cards();
  const [of] = await db.sql`select label from contracts`;
  expect(found.map(({ title }) => title)).toEqual([
    `Payout of ${of!.label} awaits approval: big`,
    `Take back of big.csv of ${of!.label} awaits approval`,
  ]);
  const back = found[1]!;
  expect(back.remedy).toMatch(/^Its recipients keep the points until it is approved\. Operators/);
  expect(back).toMatchObject({
    severity: "critical",
    path: `/payouts/${contractAddress}/big`,
    batches: { payoutId: "big", isReversal: true, batchCount: 3, points: "30" },
  });
  const chosen = { filters: { contractAddress, payoutId: "big", reversals: true } };
  const { changeable } = await previewBulk(as(BOB), { action: "approve", chosen });
  expect(changeable).toMatchObject({ batches: 3, amounts: [{ points: "30" }] });
});

test("overdue batches are counted as the list counts them, and are never said to be no due batch", async () => {
  await unusual("late", 3600, "unusual");
  await cancelBatch(as(ANN), { ...(await unusual("gone", 3600)), reason: "x" });
  await db.sql`insert into alerts (kind, subject, severity, title, remedy, path)
    values ('overdue', '', 'critical', 'Batches are overdue', 'x', '/')`;
  expect(await summarizeQueue(as(BOB))).toMatchObject({ overdueCount: 0, criticalCount: 0 });
  await makeDue();
  const summary = await summarizeQueue(as(BOB));
  expect(summary).toMatchObject({ overdueCount: 1, criticalCount: 1, nextDueAt: expect.any(String) });
  expect(summary.nextDueAt! < summary.now).toBe(true);
  expect((await listConsoleBatches(as(BOB), { overdue: true })).batches.length).toBe(summary.overdueCount);
  await finalize();
  expect(await summarizeQueue(as(BOB))).toMatchObject({ overdueCount: 0, criticalCount: 0, nextDueAt: null });
});

test("a batch that joins a payout whose card somebody has seen is not hidden by that", async () => {
  const contractAddress = await newContract();
  const join = async (batchId: string, ...of: [Level]) => {
    const batch = batchOf(contractAddress, [[1, "1"]], { batchId, secondsToFinalize: 3600 });
    await submitBatch(context(), LIMITS, { ...batch, payoutId: "season" });
    await review(batchId, ...of);
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
  const heldFor = (batchId: string, hours: number) =>
    withoutTriggers(
      db,
      `update batches set held_at = now() - interval '${hours} hours' where id = '${batchId}'`,
    );
  await heldFor("a", 48);
  await see();
  expect(await unseen()).toBe(0);
  await join("c", "alarming");
  await holdBatch(as(ANN), { contractAddress, batchId: "c", reason: "looks odd" });
  expect(await unseen()).toBe(0);
  // It is a card from now on, not from when it was put on hold.
  await heldFor("c", 24);
  expect(await unseen()).toBe(1);
});

/** The only alert, as if it had ended. */
async function endOnly() {
  const [{ subject } = { subject: "" }] = await batchConditions(context());
  await db.sql`insert into alerts (kind, subject, severity, title, remedy, path, started_at, cleared_at)
    values ('batch', ${subject}, 'critical', 'x', 'x', '/', now(), now())`;
  return async () => (await listEnded(as(BOB), {})).alerts[0];
}

test("an ended alert has its payout as it is now and who decided that of all of it, unless that has two point types", async () => {
  const contractAddress = await payout("season");
  await review("season.001", "alarming");
  const ended = await endOnly();
  await db.sql`insert into audit_log (actor, action, target, request_id)
    values (${`staff:${CEM}`}, 'payout.release', ${payoutTarget({ contractAddress, payoutId: "season" })}, 'r')`;
  expect(await ended()).toMatchObject({ decision: { event: "released", by: `staff:${CEM}` } });
  const cancel = (part: number) => cancelBatch(context(), { contractAddress, batchId: `season.00${part}` });
  await cancel(1);
  const payoutNow = { counts: { pending: 2, cancelled: 1 } };
  expect(await ended()).toMatchObject({ batch: { payout: payoutNow }, decision: null });
  for (const part of [2, 3]) await cancel(part);
  expect((await ended())!.decision).toMatchObject({ event: "cancelled", by: "token:test", reason: null });
  await withoutTriggers(db, "update batches set point_type = 'PHASE2_GOLD' where id = 'season.003'");
  expect(await ended()).toMatchObject({ batch: null, decision: null });
});

test("an ended alert about a batch says who released it, if that was since its start", async () => {
  const key = await unusual();
  const ended = await endOnly();
  await see();
  await holdBatch(as(ANN), key);
  await releaseBatch(as(BOB), { ...key, reason: "is right" });
  const decision = { event: "released", by: `staff:${BOB}`, reason: "is right" };
  expect(await ended()).toMatchObject({ batch: { id: "odd" }, decision, seenBy: [{ email: BOB }] });
  await db.sql`update alerts set started_at = clock_timestamp()`;
  expect(await ended()).toMatchObject({ batch: { id: "odd" }, decision: null });
});

test("the list of unusual batches leaves out what is done or only pays new wallets", async () => {
  const contractAddress = await newContract();
  const add = async (batchId: string, ...of: [Level, "recipients"?]) => {
    await submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: 3600 });
    await review(batchId, ...of);
  };
  await add("unusual", "unusual");
  await add("new-wallets", "unusual", "recipients");
  await add("cancelled", "alarming");
  await add("held", "alarming");
  await cancelBatch(as(ANN), { contractAddress, batchId: "cancelled" });
  await holdBatch(as(ANN), { contractAddress, batchId: "held", reason: "looks odd" });
  const listed = async () =>
    (await listConsoleBatches(as(BOB), { unusual: true })).batches.map(({ id }) => id);
  expect(await listed()).toEqual(["held", "unusual"]);
  expect((await cards()).map(({ batches }) => batches!.batchId)).toEqual(["unusual"]);
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

const HELD = {
  held_at: "now() - interval '2 days'",
  held_by: "'staff:ann@example.com'",
  hold_reason: "'stop'",
};
const approvalAlert = () => db.sql`insert into alerts (kind, subject, severity, title, remedy, path)
  values ('approval', 'c', 'warning', 'Batches of Other await approval', 'x', '/')`;

test("with thousands on hold, an approval that is due after them is still found, by the alert about its contract", async () => {
  await many(await newContract(), 1100, 1, HELD);
  await approvalAlert();
  const { cards: shown, count, isWhole } = await readQueue(as(BOB));
  expect(isWhole).toBe(false);
  expect(shown[0]).toMatchObject({ kind: "approval", title: "Batches of Other await approval" });
  expect(count).toBe(1001);
  expect(await summarizeQueue(as(BOB))).toMatchObject({ unseenCount: 1001, isWhole: false });
});

test("up to a thousand cards are counted exactly, and more are called a minimum", async () => {
  await many(await newContract(), 999, 1, HELD);
  expect(await readQueue(as(BOB))).toMatchObject({ count: 999, isWhole: true });
  await many(await newContract(), 2, 2000, HELD);
  expect(await readQueue(as(BOB))).toMatchObject({ count: 1000, isWhole: false });
});

/** Parts that wait for their payout. */
async function manyParts(count: number, payoutId: string, createdAt: string) {
  const contract = await newContract();
  await many(contract, count, 1, { ...HELD, held_for_payout: "true" });
  await withoutTriggers(db, `update batches set created_at = ${createdAt}`);
  await db.sql`
    insert into payout_parts (contract_address, batch_seq, payout_id, part, part_count, file_name)
    select contract_address, seq, ${payoutId}, row_number() over (order by seq), ${count}::int, ${`${payoutId}.csv`}
    from batches where contract_address = decode(${contract.slice(2)}, 'hex')`;
}

test("a payout of 5,000 batches is one card that counts them all, and hides nothing that is due after it", async () => {
  await manyParts(5000, "large", "now() - interval '1 hour'");
  await many(await newContract(), 1, 9000, { awaits_approval: "true", approval_need: "'THRESHOLD'" });
  const { cards: shown, isWhole } = await readQueue(as(BOB));
  expect(isWhole).toBe(true);
  expect(shown.map(({ kind, batches }) => [kind, batches!.batchCount, batches!.points])).toEqual([
    ["payout", 5000, "5000"],
    ["approval", 1, "1"],
  ]);
  expect(shown[0]!.remedy).toContain("5,000 of its 5,000 batches are on hold and not paid. Release it");
});

test("uploads under way, which are no card yet, hide no approval that is due after them", async () => {
  await manyParts(20_001, "upload", "now()");
  await approvalAlert();
  expect(await readQueue(as(BOB))).toMatchObject({
    cards: [{ kind: "approval", title: "Batches of Other await approval" }],
    isWhole: false,
  });
});

test("what every page asks for reads open batches from indexes, and no row of the history", async () => {
  const contract = await newContract();
  await many(contract, 20_000, 1, { updated_at: "null" });
  await withoutTriggers(
    db,
    `update batches set status = 'FINALIZED', created_at = now() - interval '3 hours',
       finalize_at = now() - interval '1 hour', updated_at = now(), finalized_at = now()`,
  );
  await many(contract, 500, 30_000, { updated_at: "null" });
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    select contract_address, seq, created_at, 'unusual', ${JSON.stringify(findingsOf("unusual", "total"))}::text::jsonb, now(),
      finalize_at
    from batches`;
  await db.sql`vacuum analyze batches, batch_reviews, payout_parts`;
  const { result, sent } = await statementsOf(db.url, (sql) =>
    summarizeQueue({ ...as(BOB), db: { ...db, sql, orm: drizzle(sql) } }),
  );
  expect(result.unseenCount).toBe(500);
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
