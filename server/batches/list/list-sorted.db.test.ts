import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS, shifted, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../change/cancel-batch";
import { holdBatch } from "../change/hold-batch";
import { reverseBatch } from "../reversal/reverse-batch";
import { submitBatch } from "../submit/submit-batch";
import type { BatchFilters, ConsoleBatch } from "./console-schema";
import { totalBatches } from "./count-batches";
import { exportBatches } from "./export-batches";
import { LIST_SORT_NAMES, LIST_SORTS, type ListSort, listsFinalized } from "./filters";
import { listConsoleBatches } from "./list-console-batches";

const { db, context, newContract, useContract, finalize } = useLedger();
const contract = useContract();
const OPERATOR = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const SUBMITTERS = ["token:shop", "staff:ann@example.com", `operator:${OPERATOR}`];

/** 90 batches of two contracts, both types and all states but FINALIZING, with many equal amounts and due times; 4 reversals. */
beforeAll(async () => {
  const other = await newContract();
  for (let i = 0; i < 90; i++) {
    const pointType = i % 5 === 0 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
    const contractAddress = i % 2 ? contract : other;
    await submitBatch(context(SUBMITTERS[i % 3]), LIMITS, {
      contractAddress,
      batchId: `b-${i}`,
      pointType,
      secondsToFinalize: i < 40 ? 0 : 3600 + (i % 4),
      transfers: Array.from({ length: 1 + (i % 6) }, (_, n) => ({
        toAddress: wallet(1 + n),
        points: i % 7 === 0 ? "123456789012345678901234.5" : `${1 + (i % 9)}.25`,
      })),
    });
    if (i % 11 === 3 && i >= 40) await cancelBatch(context(), { contractAddress, batchId: `b-${i}` });
    else if (i % 13 === 2 && i >= 40)
      await holdBatch(context("staff:ann@example.com"), {
        contractAddress,
        batchId: `b-${i}`,
        reason: "why not",
      });
  }
  await finalize();
  for (const [n, secondsToFinalize] of [
    [1, 0],
    [5, 0],
    [3, 3600],
    [7, 3600],
  ] as const)
    await reverseBatch(context(), LIMITS, {
      contractAddress: contract,
      batchId: `b-${n}`,
      reversalId: `back-${n}`,
      secondsToFinalize,
    });
  await cancelBatch(context(), { contractAddress: contract, batchId: "back-7" });
  await finalize();
  await withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -36_000)}, finalize_at = ${shifted("finalize_at", -36_000)},
       finalized_at = ${shifted("created_at", "length(id) * 60")} where status = 'FINALIZED';
     update batches set wait_seconds = 0, finalize_at = created_at where id in ('b-81', 'b-82', 'b-83')`,
  );
});

async function pagesOf(filters: BatchFilters, sort: ListSort, limit = 7): Promise<ConsoleBatch[]> {
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

const HOUR = "2026-11-22T00:00:00Z";
const FILTERS: [BatchFilters, condition: string][] = [
  [{}, "true"],
  [{ statuses: ["PENDING"] }, "status = 'PENDING'"],
  [{ statuses: ["PENDING", "FINALIZING"] }, "status = 'PENDING'"],
  [{ statuses: ["FINALIZED"] }, "status = 'FINALIZED'"],
  [{ held: true }, "held_at is not null and status = 'PENDING'"],
  [{ pointType: "PHASE2_GOLD" }, "point_type = 'PHASE2_GOLD'"],
  [{ minimumPoints: "3.25" }, "points >= 3.25"],
  [{ recipient: wallet(3) }, "transfer_count >= 3"],
  [{ submittedBy: "token:shop" }, "submitted_by = 'token:shop'"],
  [
    { submittedBy: "staff:ann@example.com", pointType: "PHASE2_GOLD" },
    "submitted_by = 'staff:ann@example.com' and point_type = 'PHASE2_GOLD'",
  ],
  [{ reversals: true }, "reverses_seq is not null"],
  [{ reversals: true, statuses: ["PENDING"] }, "reverses_seq is not null and status = 'PENDING'"],
  [{ submittedBy: `operator:${OPERATOR.toLowerCase()}` }, "submitted_by like 'operator:%'"],
];

describe.each(FILTERS)("batches filtered by %j", (filters, condition) => {
  test.each(LIST_SORT_NAMES.filter((sort) => listsFinalized(filters) || !sort.startsWith("FINALIZED")))(
    "are listed once each, page by page, sorted by %s",
    async (sort) => {
      const wanted = await expected(condition, sort);
      expect(wanted.length).toBeGreaterThan(0);
      const listed = await pagesOf(filters, sort);
      expect(listed.map(({ id }) => id)).toEqual(wanted);
    },
  );

  test("add up to what the database adds up, by type", async () => {
    const totals = await totalBatches(context(), filters);
    const rows = await db.sql.unsafe(
      `select point_type as "pointType", count(*) filter (where kind = 'payment')::int as batches,
         coalesce(sum(transfer_count) filter (where kind = 'payment'), 0)::text as transfers,
         coalesce(trim_scale(sum(points) filter (where kind = 'payment')), 0)::text as points,
         count(*) filter (where kind = 'FINALIZED')::int as reversals,
         coalesce(trim_scale(sum(points) filter (where kind = 'FINALIZED')), 0)::text as "takenBack",
         count(*) filter (where kind = 'PENDING')::int as "openReversals",
         coalesce(trim_scale(sum(points) filter (where kind = 'PENDING')), 0)::text as "takingBack"
       from (select *, case when reverses_seq is null then 'payment' else status::text end as kind from batches) as batches
       where ${condition} group by 1 order by 1`,
    );
    expect(totals).toEqual({ types: [...rows], isWhole: true });
  });
});

describe("bounds", () => {
  const bound = async (column: string, id: string) => {
    const [row] = await db.sql.unsafe(`select ${column} as at from batches where id = '${id}'`);
    return new Date(row!.at).toISOString();
  };
  test.each([
    ["due", "finalize_at", "true"],
    ["finalized", "finalized_at", "status = 'FINALIZED'"],
  ])("on the %s time are exclusive, and combine with every order", async (name, column, also) => {
    const [after, before] = [await bound(column, "b-5"), await bound(column, "b-30")];
    const filters = { [`${name}After`]: after, [`${name}Before`]: before };
    const condition = `${also} and ${column} > '${after}' and ${column} < '${before}'`;
    for (const sort of LIST_SORT_NAMES) {
      if (sort.startsWith("FINALIZED") && !listsFinalized(filters)) continue;
      const listed = await pagesOf(filters, sort);
      expect(listed.map(({ id }) => id)).toEqual(await expected(condition, sort));
    }
    expect(
      (await totalBatches(context(), filters)).types.reduce((sum, { batches }) => sum + batches, 0),
    ).toBe((await expected(condition, "DESC")).length);
  });
});

test("an order by finalized time is refused for lists that have other batches", async () => {
  const { ConsoleListInput } = await import("./console-schema");
  expect(ConsoleListInput.safeParse({ sort: "FINALIZED" }).success).toBe(false);
  expect(ConsoleListInput.safeParse({ sort: "FINALIZED", finalizedAfter: HOUR }).success).toBe(true);
  expect(ConsoleListInput.safeParse({ sort: "FINALIZED", statuses: ["FINALIZED"] }).success).toBe(true);
});

describe("a cursor of a sorted list", () => {
  const page = (change: object, cursor: string | null) =>
    listConsoleBatches(context(), { sort: "AMOUNT_DESC", limit: 5, cursor, ...change });
  const given = async () => (await page({}, null)).cursor!;

  test.each([
    ["another order", { sort: "AMOUNT" }],
    ["an order that has cursors of another kind", { sort: "DESC" }],
    ["another filter", { pointType: "PHASE2_GOLD" }],
  ])("is refused for %s", async (_, change) => {
    await expect(page(change, await given())).rejects.toMatchObject({
      code: "sort" in change && change.sort === "DESC" ? "invalid_cursor" : "cursor_mismatch",
    });
  });

  test("that was modified is invalid", async () => {
    const cursor = await given();
    for (const bad of [cursor.slice(0, -1), `${cursor}0`, cursor.replace(/^2./, "2z"), "2", ""])
      await expect(page({}, bad)).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

test("an export has each filtered batch once, in the order of the list", async () => {
  for (const sort of LIST_SORT_NAMES) {
    if (sort.startsWith("FINALIZED")) continue;
    const ids: string[] = [];
    for await (const page of exportBatches(context(), { contractAddress: contract }, sort))
      ids.push(...page.map(({ id }) => id));
    expect(ids).toEqual(await expected("id ~ '[13579]$'", sort));
  }
});
