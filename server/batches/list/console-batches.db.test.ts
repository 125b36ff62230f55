import { beforeAll, describe, expect, test } from "vitest";
import { BATCH_STATUSES, OVERDUE_AFTER_SECONDS } from "@/server/kernel/values/batch-terms";
import { shifted, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../change/cancel-batch";
import { describeBatch } from "../review/describe-batch";
import type { BatchFilters, ConsoleBatch, ConsoleBatchPage } from "./console-schema";
import { countFacets, countNewer } from "./count-batches";
import { exportBatches } from "./export-batches";
import type { ListSort } from "./filters";
import { listConsoleBatches } from "./list-console-batches";

const { db, context, newContract, useContract, submit, finalize } = useLedger();
const contract = useContract();
beforeAll(async () => {
  const other = await newContract();
  for (let i = 0; i < 230; i++) {
    const pointType = i % 5 === 0 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
    const options = { batchId: `b-${i}`, pointType, secondsToFinalize: i < 10 ? 0 : 3600 };
    const sender = i % 2 ? contract : other;
    await submit(sender, [[1 + (i % 3), `${i + 1}`]], options);
    if (i % 7 === 3) await cancelBatch(context(), { contractAddress: sender, batchId: options.batchId });
  }
  await finalize();
  await withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -3600)}, wait_seconds = wait_seconds + 3600;
     update batches set wait_seconds = 0, finalize_at = created_at where id in ('b-100', 'b-102')`,
  );
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
    select contract_address, seq, created_at, 'unusual', '{"level":"unusual"}', now() from batches
    where substring(id from 3)::int % 3 = 0`;
});

async function exported(filters: BatchFilters, sort?: ListSort): Promise<ConsoleBatch[]> {
  const all: ConsoleBatch[] = [];
  for await (const page of exportBatches(context(), filters, sort)) all.push(...page);
  return all;
}

const FILTERS: BatchFilters[] = [
  {},
  { statuses: ["PENDING", "FINALIZED"] },
  { pointType: "PHASE2_GOLD" },
  { overdue: true },
  { minimumPoints: "100" },
  { recipient: wallet(2) },
  { idPrefix: "b-1", createdAfter: "2020-01-01" },
  { createdBefore: "2020-01-01" },
  { unusual: true },
  { unusual: true, statuses: ["PENDING"] },
  { unusual: true, pointType: "PHASE2_GOLD", createdAfter: "2020-01-01" },
  { unusual: true, recipient: wallet(1) },
  { unusual: true, overdue: true },
  { unusual: true, createdBefore: "2020-01-01" },
  { reversals: true },
  { reversals: true, recipient: wallet(1) },
];

describe("the filter counts", () => {
  test.each(FILTERS)("match the list: %j", async (filters) => {
    const facets = await countFacets(context(), filters);
    const { statuses: _, overdue: __, ...withoutStatus } = filters;
    for (const status of BATCH_STATUSES) {
      expect(facets.statuses[status]).toBe((await exported({ ...withoutStatus, statuses: [status] })).length);
    }
    for (const pointType of ["PHASE2_POINTS", "PHASE2_GOLD"] as const) {
      expect(facets.pointTypes[pointType]).toBe((await exported({ ...filters, pointType })).length);
    }
    expect(facets.overdue).toBe((await exported({ ...withoutStatus, overdue: true })).length);
    expect(facets.unusual).toBe((await exported({ ...filters, unusual: true })).length);
  });

  test.each([{}, { contractAddress: true }])(
    "of unusual batches include each marked one once: %j",
    async (scope) => {
      const filters = scope.contractAddress ? { contractAddress: contract } : {};
      const ids = (batches: ConsoleBatch[]) => batches.map(({ id }) => id);
      const marked = (await exported(filters)).filter(({ review }) => review);
      expect(marked).toHaveLength(scope.contractAddress ? 38 : 77);
      expect(ids(await exported({ ...filters, unusual: true }))).toEqual(ids(marked));
      expect(ids(await exported({ ...filters, unusual: true }, "ASC"))).toEqual(ids(marked).reverse());
      expect((await countFacets(context(), filters)).unusual).toBe(marked.length);
      const overdue = await exported({ ...filters, unusual: true, overdue: true }, "DUE");
      expect(ids(overdue)).toEqual(scope.contractAddress ? [] : ["b-102"]);
    },
  );

  test("of unusual batches look at more of them than one page has", async () => {
    const { batches, cursor } = await listConsoleBatches(context(), { unusual: true, limit: 50 });
    const rest = await listConsoleBatches(context(), { unusual: true, limit: 50, cursor });
    expect([batches.length, rest.batches.length, rest.cursor]).toEqual([50, 27, null]);
  });

  test("include a batch as overdue only when its badge does: a moment after it is due", async () => {
    const dueAgo = (seconds: number) =>
      withoutTriggers(
        db,
        `update batches set created_at = now() - interval '1 hour', wait_seconds = ${3600 - seconds},
           finalize_at = now() - interval '${seconds} s' where id = 'b-104'`,
      );
    const late = async () => (await exported({ overdue: true })).some(({ id }) => id === "b-104");
    await dueAgo(OVERDUE_AFTER_SECONDS - 4);
    expect([await late(), (await countFacets(context(), {})).overdue]).toEqual([false, 2]);
    await dueAgo(OVERDUE_AFTER_SECONDS + 1);
    expect([await late(), (await countFacets(context(), {})).overdue]).toEqual([true, 3]);
    await dueAgo(-3600);
  });

  test("include overdue batches that a finalizer has claimed, but not those on hold", async () => {
    const overdue = async () => (await exported({ overdue: true })).map(({ id }) => id).sort();
    expect(await overdue()).toEqual(["b-100", "b-102"]);
    await withoutTriggers(
      db,
      `update batches set status = 'FINALIZING', updated_at = now(), lease_until = now() where id in ('b-102', 'b-105')`,
    );
    expect(await overdue()).toEqual(["b-100", "b-102"]);
    const { statuses, overdue: count } = await countFacets(context(), {});
    expect([statuses.FINALIZING, count]).toEqual([2, 2]);
    await withoutTriggers(
      db,
      `update batches set status = 'PENDING', updated_at = null, lease_until = null where status = 'FINALIZING';
       update batches set held_at = now(), held_by = 'staff:a', hold_reason = 'why' where id = 'b-100'`,
    );
    expect(await overdue()).toEqual(["b-102"]);
    await withoutTriggers(
      db,
      "update batches set held_at = null, held_by = null, hold_reason = null where id = 'b-100'",
    );
  });
});

describe("an export", () => {
  test("has each filtered batch once, newest first, across many pages", async () => {
    const all = await exported({});
    expect(all).toHaveLength(230);
    expect(new Set(all.map((batch) => `${batch.contractAddress}/${batch.id}`)).size).toBe(230);
    expect([...all].sort((a, b) => b.createdAt.localeCompare(a.createdAt))).toEqual(all);
  });

  test("of overdue batches starts with the longest due, on every page", async () => {
    await withoutTriggers(
      db,
      `update batches set wait_seconds = 1, finalize_at = ${shifted("created_at", 1)} where id in ('b-11', 'b-12', 'b-13');
       update batches set wait_seconds = 0, finalize_at = created_at where id = 'b-14'`,
    );
    const overdue = { overdue: true, sort: "DUE" as const };
    const all = await exported({ overdue: true }, "DUE");
    expect([...all].sort((a, b) => a.finalizeAt.localeCompare(b.finalizeAt))).toEqual(all);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page: ConsoleBatchPage = await listConsoleBatches(context(), {
        ...overdue,
        limit: 2,
        cursor,
      });
      paged.push(...page.batches.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor);
    expect(paged).toEqual(all.map(({ id }) => id));
    expect(paged.indexOf("b-14")).toBeLessThan(paged.indexOf("b-13"));
  });

  test("of no batches has no page", async () => {
    expect(await exported({ createdBefore: "2020-01-01" })).toEqual([]);
  });
});

describe("newer batches", () => {
  test("are counted from the newest one shown, which is not included", async () => {
    const { batches } = await listConsoleBatches(context(), { limit: 20 });
    expect(await countNewer(context(), {}, batches[0]!)).toBe(0);
    expect(await countNewer(context(), {}, batches[19]!)).toBeGreaterThan(15);
    expect(await countNewer(context(), { createdBefore: "2020-01-01" }, null)).toBe(0);
    expect(await countNewer(context(), {}, null)).toBe(230);
  });

  test("of another contract are counted even if they have the ID of the newest one shown", async () => {
    const other = await newContract();
    const shared = { batchId: "same-id", secondsToFinalize: 3600 };
    await submit(contract, [[1, "1"]], shared);
    const { batches } = await listConsoleBatches(context(), { limit: 1 });
    expect(batches[0]!.id).toBe("same-id");
    await submit(other, [[1, "1"]], shared);
    expect(await countNewer(context(), {}, batches[0]!)).toBe(1);
  });

  test("of an overdue list are those that became overdue since it was read, no matter when they were created", async () => {
    const { now, batches } = await listConsoleBatches(context(), { overdue: true, sort: "DUE" });
    const newer = () => countNewer(context(), { overdue: true }, batches[0]!, now);
    expect(await newer()).toBe(0);
    const dueAt = (at: string) =>
      withoutTriggers(
        db,
        `update batches set created_at = ${at} - interval '1 hour', wait_seconds = 3600, finalize_at = ${at} where id = 'b-144'`,
      );
    await dueAt(`timestamptz '${now}' - interval '${OVERDUE_AFTER_SECONDS} s' + interval '1 ms'`);
    expect(await newer()).toBe(1);
    await dueAt(`timestamptz '${now}' + interval '1 hour'`);
    expect(await newer()).toBe(0);
  });
});

describe("one batch", () => {
  test("has its label, its timeline and the database's clock", async () => {
    await submit(contract, [[1, "1"]], { batchId: "described", secondsToFinalize: 3600 });
    const ctx = context("staff:ann@example.com");
    await cancelBatch(ctx, { contractAddress: contract, batchId: "described", reason: "wrong list" });
    const before = Date.now();
    const detail = await describeBatch(ctx, { contractAddress: contract, batchId: "described" });
    const after = Date.now();
    expect(detail).toMatchObject({ status: "CANCELLED", waitSeconds: 3600, submittedBy: "token:test" });
    expect(detail.contractLabel).toMatch(/^Contract \d+$/);
    expect(detail.timeline.map(({ event, by, reason }) => [event, by, reason])).toEqual([
      ["created", "token:test", null],
      ["cancelled", "staff:ann@example.com", "wrong list"],
    ]);
    expect(Date.parse(detail.now)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(detail.now)).toBeLessThanOrEqual(after + 1);
  });
});
