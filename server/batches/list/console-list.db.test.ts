import { beforeAll, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch } from "@/server/batches/change/hold-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { BATCH_STATUSES, OVERDUE_AFTER_SECONDS, POINT_TYPES } from "@/terms/batch-terms";
import {
  LIST_SORT_NAMES,
  LIST_SORTS,
  type ListSort,
  listsFinalized,
  possibleStatuses,
} from "@/terms/filters";
import { LIMITS, shifted, wallet, withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import type { BatchFiltersInput, ConsoleBatch } from "./console-schema";
import { countFacets, countNewer, totalBatches } from "./count-batches";
import { exportBatches } from "./export-batches";
import { listConsoleBatches } from "./list-console-batches";
import { OUTCOME_NAMES } from "./listed-rows";

const { db, context, newContract, useContract, submit, finalize } = useLedger();
const contract = useContract();
const ANN = "staff:ann@example.com";
const OPERATOR = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const SUBMITTERS = ["token:shop", ANN, `operator:${OPERATOR}`];

/**
 * 90 batches of two contracts, both types and all states, with many equal amounts and due times; 4 reversals. A third is
 * marked as unusual. Of the overdue ones, one is on hold and one is claimed.
 */
beforeAll(async () => {
  const other = await newContract();
  for (let i = 0; i < 90; i++) {
    const pointType = i % 5 === 0 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
    const key = { contractAddress: i % 2 ? contract : other, batchId: `b-${i}` };
    await submitBatch(context(SUBMITTERS[i % 3]), LIMITS, {
      ...key,
      pointType,
      secondsToFinalize: i < 40 ? 0 : 3600 + (i % 4),
      transfers: Array.from({ length: 1 + (i % 6) }, (_, n) => ({
        toAddress: wallet(1 + n),
        points: i % 7 === 0 ? "123456789012345678901234.5" : `${1 + (i % 9)}.25`,
      })),
    });
    if (i % 11 === 3 && i >= 40) await cancelBatch(context(), key);
    else if (i % 13 === 2 && i >= 40) await holdBatch(context(ANN), { ...key, reason: "why not" });
  }
  await finalize();
  for (const [n, secondsToFinalize] of Object.entries({ 1: 0, 3: 3600, 5: 0, 7: 3600 })) {
    const key = { contractAddress: contract, batchId: `b-${n}`, reversalId: `back-${n}` };
    await reverseBatch(context(), LIMITS, { ...key, secondsToFinalize });
  }
  await cancelBatch(context(), { contractAddress: contract, batchId: "back-7" });
  await finalize();
  await withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -36_000)}, finalize_at = ${shifted("finalize_at", -36_000)},
       finalized_at = ${shifted("created_at", "length(id) * 60")} where status = 'FINALIZED';
     update batches set created_at = ${shifted("created_at", -7200)}, finalize_at = ${shifted("finalize_at", -7200)}
       where id in ('b-73', 'b-82', 'b-83', 'b-84', 'b-86', 'b-87', 'b-88');
     update batches set held_at = now(), held_by = 'staff:a', hold_reason = 'why' where id = 'b-82';
     update batches set awaits_approval = true, approval_need = 'THRESHOLD' where id in ('b-41', 'b-73');
     update batches set status = 'FINALIZING', updated_at = now(), claimed_at = now(), claim_id = md5(id)::uuid,
       lease_until = now() where id in ('b-83', 'b-84')`,
  );
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
    select contract_address, seq, created_at,
      case when substring(id from 3)::int % 2 = 0 then 'alarming' else 'unusual' end, '{"level":"unusual"}', now()
    from batches
    where id like 'b-%' and substring(id from 3)::int % 3 = 0`;
});

async function pagesOf(filters: BatchFiltersInput, sort: ListSort, limit = 13): Promise<ConsoleBatch[]> {
  const rows: ConsoleBatch[] = [];
  let cursor: string | null = null;
  do {
    const page = await listConsoleBatches(context(), { ...filters, sort, limit, cursor });
    expect(page.sortedAmong).toBeNull();
    rows.push(...page.batches);
    cursor = page.cursor;
  } while (cursor);
  return rows;
}
async function exported(filters: BatchFiltersInput, sort?: ListSort) {
  const all = [];
  for await (const page of exportBatches(context(), filters, sort)) all.push(...page);
  return all;
}
const idsOf = (batches: readonly { id: string }[]) => batches.map(({ id }) => id);

const COLUMNS = {
  createdAt: "created_at",
  finalizeAt: "finalize_at",
  finalizedAt: "finalized_at",
  points: "points",
  transferCount: "transfer_count",
};

/** The ids that a condition finds, in an order, by the database alone. */
async function expected(condition: string, sort: ListSort): Promise<string[]> {
  const { by, descending } = LIST_SORTS[sort];
  const order = descending ? "desc" : "asc";
  const rows = await db.sql.unsafe(
    `select id from batches where ${condition} order by ${COLUMNS[by]} ${order}, seq ${order}`,
  );
  return rows.map(({ id }) => id);
}

const OVERDUE = `finalize_at < now() - interval '${OVERDUE_AFTER_SECONDS} s' and held_at is null and not awaits_approval
  and status in ('PENDING', 'FINALIZING')`;
const UNUSUAL = "seq in (select batch_seq from batch_reviews) and status = 'PENDING'";
const FREE = "status = 'PENDING' and held_at is null and not awaits_approval";
const FILTERS: [BatchFiltersInput, condition: string][] = [
  [{}, "true"],
  [{ statuses: ["PENDING"] }, "status = 'PENDING'"],
  [{ statuses: ["PENDING", "FINALIZING"] }, "status in ('PENDING', 'FINALIZING')"],
  [{ statuses: ["FINALIZED"] }, "status = 'FINALIZED'"],
  [{ statuses: ["CANCELLED", "FINALIZED"], finalizedAfter: "2020-01-01" }, "status = 'FINALIZED'"],
  [{ held: true }, "held_at is not null and status = 'PENDING'"],
  [{ unblocked: true }, FREE],
  [{ awaitingApproval: true }, "awaits_approval and status = 'PENDING'"],
  [{ overdue: true }, OVERDUE],
  [{ overdue: true, unblocked: true }, `${OVERDUE} and ${FREE}`],
  [{ overdue: true, minimumPoints: "4", createdAfter: "2020-01-01" }, `${OVERDUE} and points >= 4`],
  [{ pointType: "PHASE2_GOLD" }, "point_type = 'PHASE2_GOLD'"],
  [{ minimumPoints: "3.25" }, "points >= 3.25"],
  [{ idPrefix: "b-1", createdAfter: "2020-01-01" }, "id like 'b-1%'"],
  [{ recipient: wallet(3) }, "transfer_count >= 3"],
  [{ submittedBy: `operator:${OPERATOR.toLowerCase()}` }, "submitted_by like 'operator:%'"],
  [{ reversals: true }, "reverses_seq is not null"],
  [{ reversals: true, statuses: ["PENDING"] }, "reverses_seq is not null and status = 'PENDING'"],
  [{ unusual: true }, UNUSUAL],
  [{ unusual: true, contractAddress: contract }, `${UNUSUAL} and id ~ '[13579]$'`],
  [
    { unusual: true, pointType: "PHASE2_GOLD", createdAfter: "2020-01-01" },
    `${UNUSUAL} and point_type = 'PHASE2_GOLD'`,
  ],
  [{ unusual: true, recipient: wallet(2) }, `${UNUSUAL} and transfer_count >= 2`],
  [{ unusual: true, overdue: true }, `${UNUSUAL} and ${OVERDUE}`],
];
/** A count by state is of all batches that the other filters find. */
const STATES = ["statuses", "overdue", "held", "unblocked", "awaitingApproval"] as const;
const sortsOf = (filters: BatchFiltersInput) =>
  LIST_SORT_NAMES.filter((sort) => listsFinalized(filters) || !sort.startsWith("FINALIZED"));

test.each(FILTERS)(
  "batches filtered by %j are listed once each in every order, exported, counted and added up",
  async (filters, condition) => {
    for (const sort of sortsOf(filters)) {
      const wanted = await expected(condition, sort);
      expect(wanted.length).toBeGreaterThan(0);
      expect(idsOf(await pagesOf(filters, sort)), sort).toEqual(wanted);
    }
    expect(idsOf(await exported(filters))).toEqual(await expected(condition, "DESC"));
    const rows = await db.sql.unsafe(
      `select point_type as "pointType", reverses_seq is not null as "isReversal", count(*)::int as batches,
         case when reverses_seq is not null or status = 'CANCELLED' then status end as status,
         sum(transfer_count)::text as transfers, trim_scale(sum(points))::text as points
       from batches where ${condition} group by 1, 2, 4 order by 1, 2, 4 nulls first`,
    );
    expect(await totalBatches(context(), filters)).toEqual({ sums: [...rows], isWhole: true });
    await expectCounts(filters);
  },
);

async function expectCounts(filters: BatchFiltersInput): Promise<void> {
  const { counts } = await countFacets(context(), filters);
  const others: BatchFiltersInput = { ...filters };
  for (const name of STATES) delete others[name];
  const listed = async (of: BatchFiltersInput) => (await pagesOf(of, "DESC", 200)).length;
  for (const status of BATCH_STATUSES)
    expect(counts[status], status).toBe(await listed({ ...others, statuses: [status] }));
  for (const pointType of POINT_TYPES)
    expect(counts[pointType], pointType).toBe(await listed({ ...filters, pointType }));
  expect(counts.OVERDUE).toBe(await listed({ ...others, overdue: true }));
}

test("filters that contradict each other leave no status, so nothing is read for them", () => {
  for (const [filters, statuses] of [
    [{}, BATCH_STATUSES],
    [{ statuses: [] }, BATCH_STATUSES],
    [{ statuses: ["CANCELLED", "FINALIZED"], finalizedAfter: "2020-01-01" }, ["FINALIZED"]],
    [{ overdue: true }, ["PENDING", "FINALIZING"]],
    [{ overdue: true, unblocked: true }, ["PENDING"]],
    [{ held: true, finalizedBefore: "2020-01-01" }, []],
    [{ awaitingApproval: true, statuses: ["CANCELLED"] }, []],
    [{ overdue: true, finalizedAfter: "2020-01-01" }, []],
  ] as [BatchFiltersInput, string[]][])
    expect(possibleStatuses(filters)).toEqual(statuses);
});

test.each([
  ["due", "finalize_at", "true"],
  ["finalized", "finalized_at", "status = 'FINALIZED'"],
])("bounds on the %s time are exclusive, and combine with every order", async (name, column, also) => {
  const rows = await db.sql.unsafe(
    `select ${column} as at from batches where id in ('b-5', 'b-30') order by 1`,
  );
  const [after, before] = rows.map(({ at }) => new Date(at).toISOString());
  const filters = { [`${name}After`]: after, [`${name}Before`]: before };
  const condition = `${also} and ${column} > '${after}' and ${column} < '${before}'`;
  for (const sort of sortsOf(filters))
    expect(idsOf(await pagesOf(filters, sort))).toEqual(await expected(condition, sort));
  const { sums } = await totalBatches(context(), filters);
  const count = sums.reduce((sum, { batches }) => sum + batches, 0);
  expect(await expected(condition, "DESC")).toHaveLength(count);
});

test("a cursor of a sorted list is refused for another order or filter, or if it was modified", async () => {
  const page = (change: object, cursor: string | null) =>
    listConsoleBatches(context(), { sort: "AMOUNT_DESC", limit: 5, cursor, ...change });
  const cursor = (await page({}, null)).cursor!;
  for (const [change, code] of [
    [{ sort: "AMOUNT" }, "cursor_mismatch"],
    [{ sort: "DESC" }, "invalid_cursor"],
    [{ pointType: "PHASE2_GOLD" }, "cursor_mismatch"],
  ] as const)
    await expect(page(change, cursor)).rejects.toMatchObject({ code });
  for (const bad of [cursor.slice(0, -1), `${cursor}0`, cursor.replace(/^2./, "2z"), "2", ""])
    await expect(page({}, bad)).rejects.toMatchObject({ code: "invalid_cursor" });
});

/** Makes a batch due at a time. */
const dueAt = (id: string, at: string) =>
  withoutTriggers(
    db,
    `update batches set created_at = ${at} - interval '1 hour', wait_seconds = 3600, finalize_at = ${at} where id = '${id}'`,
  );

test("a batch is overdue only when its badge says so: a moment after it is due", async () => {
  const { counts } = await countFacets(context(), {});
  const readDue = async (secondsAgo: number) => {
    await dueAt("b-44", `now() - interval '${secondsAgo} s'`);
    const page = await pagesOf({ overdue: true }, "DESC");
    return [idsOf(page).includes("b-44"), (await countFacets(context(), {})).counts.OVERDUE - counts.OVERDUE];
  };
  expect(await readDue(OVERDUE_AFTER_SECONDS + 1)).toEqual([true, 1]);
  // Again where reading took so long that it became overdue meanwhile.
  for (let ms = Number.POSITIVE_INFINITY; ms > 3000; ) {
    const startedAt = performance.now();
    const read = await readDue(OVERDUE_AFTER_SECONDS - 4);
    ms = performance.now() - startedAt;
    if (ms <= 3000) expect(read).toEqual([false, 0]);
  }
  await dueAt("b-44", "now() + interval '1 hour'");
});

test("newer batches are counted from the newest one shown, which is not included", async () => {
  const { batches } = await listConsoleBatches(context(), { limit: 20 });
  expect(await countNewer(context(), {}, batches[0]!)).toBe(0);
  expect(await countNewer(context(), {}, batches[19]!)).toBeGreaterThan(15);
  expect(await countNewer(context(), { createdBefore: "2020-01-01" }, null)).toBe(0);
  expect(await countNewer(context(), {}, null)).toBe(94);
});

const refresh = (...keys: string[]) => callerOf(db, "viewer").batches.refresh({ keys });
const keyOf = (batch: { contractAddress: string; id: string }) => `${batch.contractAddress}/${batch.id}`;

test("refreshed rows are the current rows of the list, for every contract", async () => {
  await submit(contract, [[1, "1.5"]], { batchId: "a:b~c.d_e-f", secondsToFinalize: 3600 });
  const { batches: listed } = await listConsoleBatches(context(), { limit: 100 });
  const { batches, now } = await refresh(...listed.map(keyOf));
  const byKey = (one: ConsoleBatch, two: ConsoleBatch) => keyOf(one).localeCompare(keyOf(two));
  expect(batches.toSorted(byKey)).toEqual(listed.toSorted(byKey));
  expect(new Set(batches.map(({ status }) => status)).size).toBe(4);
  expect(Date.parse(now!)).toBeGreaterThan(Date.parse(listed[0]!.createdAt));
});

test("a row says what was taken back of its batch, not what is about to be or was cancelled", async () => {
  const { batches } = await refresh(...[1, 3, 7].map((n) => `${contract}/b-${n}`));
  const back = batches.filter(({ takenBack }) => takenBack);
  expect(back.map(({ id, points, takenBack }) => [id, takenBack === points])).toEqual([["b-1", true]]);
});

const OPEN = { ...Object.fromEntries(OUTCOME_NAMES.map((name) => [name, null])), holdReason: null };
const AT = expect.stringMatching(/^\d{4}-.*Z$/);
const WAIT = { secondsToFinalize: 3600 };

test("an exported batch has when it was finalized or cancelled, by whom and why, or who has it on hold", async () => {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "1"]], { batchId: "finalized" });
  await finalize();
  const key = (batchId: string, reason: string) => ({ contractAddress, batchId, reason });
  for (const batchId of ["cancelled", "held", "held and cancelled", "pending"])
    await submit(contractAddress, [[1, "1"]], { batchId, ...WAIT });
  await cancelBatch(context(ANN), key("cancelled", "sent twice"));
  for (const batchId of ["held", "held and cancelled"])
    await holdBatch(context(ANN), key(batchId, "under review"));
  await cancelBatch(context(), { contractAddress, batchId: "held and cancelled" });
  expect(await exported({ contractAddress }, "ASC")).toMatchObject([
    { ...OPEN, id: "finalized", finalizedAt: AT },
    { ...OPEN, id: "cancelled", cancelledAt: AT, cancelledBy: ANN, cancelReason: "sent twice" },
    { ...OPEN, id: "held", heldAt: AT, heldBy: ANN, holdReason: "under review" },
    { ...OPEN, id: "held and cancelled", cancelledAt: AT, cancelledBy: "token:test" },
    { ...OPEN, id: "pending" },
  ]);
});
