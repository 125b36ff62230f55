import { beforeAll, describe, expect, test } from "vitest";
import { BATCH_STATUSES } from "@/server/kernel/values/batch-terms";
import { shifted, times, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import type { ListedBatch } from "../../kernel/values/batch-rows";
import { cancelBatch } from "../change/cancel-batch";
import type { BatchFilters } from "./console-schema";
import { type BatchQuery, listBatches } from "./list-batches";

const { db, context, newContract, submit, finalize } = useLedger();
let contracts: string[] = [];
let all: ListedBatch[] = [];
const T1 = "2026-03-01T00:00:02Z";
const T2 = "2026-03-01T00:00:05.000Z";

/** 2 × 64 batches of every status and type, created in 7 different seconds, so that most share a creation time. */
beforeAll(async () => {
  contracts = await times(2, () => newContract());
  for (const contractAddress of contracts) {
    for (let i = 0; i < 64; i++) {
      const pointType = i % 3 === 0 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
      const options = {
        batchId: `${i % 2 ? "odd" : "even"}-${i}`,
        pointType,
        secondsToFinalize: i % 4 === 1 ? 0 : 60,
      };
      await submit(contractAddress, [[100 + (i % 5), `${i + 1}`]], options);
      if (i % 4 === 2) await cancelBatch(context(), { contractAddress, batchId: options.batchId });
    }
  }
  await finalize();
  const march = "timestamptz '2026-03-01T00:00:00Z'";
  await withoutTriggers(
    db,
    `update batches set created_at = ${shifted(march, "seq * 5 % 7")}, finalize_at = ${shifted(march, "seq * 5 % 7 + wait_seconds")};
     update batches set status = 'FINALIZING', updated_at = now(), claimed_at = now(), lease_until = now(),
       claim_id = md5(id)::uuid where status = 'PENDING' and seq % 2 = 0`,
  );
  all = (await listBatches(context(), { limit: 200 })).rows;
});

async function pages(query: BatchQuery): Promise<ListedBatch[][]> {
  const out: ListedBatch[][] = [];
  let cursor: string | null = null;
  do {
    const page = await listBatches(context(), { ...query, cursor });
    out.push(page.rows);
    cursor = page.cursor;
    expect(out.length).toBeLessThan(100);
  } while (cursor);
  return out;
}

function expected(filters: BatchFilters, sort: "ASC" | "DESC"): string[] {
  const bound = (text: string | undefined, otherwise: number) => (text ? Date.parse(text) : otherwise);
  const rows = all.filter(
    (row) =>
      (!filters.contractAddress || `0x${row.contractAddress.toString("hex")}` === filters.contractAddress) &&
      (!filters.statuses || filters.statuses.includes(row.status)) &&
      (!filters.pointType || row.pointType === filters.pointType) &&
      (!filters.idPrefix || row.id.startsWith(filters.idPrefix)) &&
      (!filters.minimumPoints || Number(row.points) >= Number(filters.minimumPoints)) &&
      (!filters.overdue ||
        (["PENDING", "FINALIZING"].includes(row.status) && Date.parse(row.finalizeAt) <= Date.now())) &&
      Date.parse(row.createdAt) > bound(filters.createdAfter, -1) &&
      Date.parse(row.createdAt) < bound(filters.createdBefore, Number.POSITIVE_INFINITY),
  );
  const sign = sort === "ASC" ? 1 : -1;
  rows.sort(
    (a, b) => sign * (Date.parse(a.createdAt) - Date.parse(b.createdAt) || Number(a.seq) - Number(b.seq)),
  );
  return rows.map((row) => String(row.seq));
}

const shown = (list: ListedBatch[][]) => list.flat().map((row) => String(row.seq));

test("the test batches have every status, and many share a creation time", () => {
  expect(all).toHaveLength(128);
  expect(new Set(all.map((row) => row.status)).size).toBe(4);
  expect(new Set(all.map((row) => Date.parse(row.createdAt))).size).toBe(7);
});

describe("every combination of filters and sorts lists each batch exactly once, in order", () => {
  const combinations = [undefined, "PHASE2_POINTS" as const, "PHASE2_GOLD" as const].flatMap((pointType) =>
    [undefined, ...BATCH_STATUSES].flatMap((status) =>
      [undefined, T1].flatMap((createdAfter) =>
        [undefined, T2].flatMap((createdBefore) =>
          (["ASC", "DESC"] as const).map((sort) => ({
            pointType,
            status,
            createdAfter,
            createdBefore,
            sort,
          })),
        ),
      ),
    ),
  );

  test(`all ${combinations.length} combinations`, async () => {
    let nonEmpty = 0;
    for (const { sort, status, ...rest } of combinations) {
      const filters: BatchFilters = {
        contractAddress: contracts[0],
        ...rest,
        ...(status && { statuses: [status] }),
      };
      const list = await pages({ ...filters, sort, limit: 7 });
      const label = JSON.stringify({ ...rest, status, sort });
      expect(shown(list), label).toEqual(expected(filters, sort));
      for (const page of list.slice(0, -1)) expect(page, label).toHaveLength(7);
      if (list.length > 1)
        expect(list.at(-1)!.length, `no empty page after another: ${label}`).toBeGreaterThan(0);
      if (list[0]!.length > 0) nonEmpty++;
    }
    expect(nonEmpty).toBeGreaterThan(80);
  });

  const consoleFilters: BatchFilters[] = [
    {},
    { statuses: ["PENDING", "CANCELLED"] },
    { statuses: ["FINALIZED"], pointType: "PHASE2_GOLD" },
    { idPrefix: "odd-1" },
    { idPrefix: "even", statuses: ["CANCELLED"] },
    { idPrefix: "ev_n" },
    { minimumPoints: "32.5" },
    { overdue: true },
    { overdue: true, minimumPoints: "10", createdAfter: T1 },
  ];
  test.each(consoleFilters)("over all contracts: %j", async (filters) => {
    for (const sort of ["ASC", "DESC"] as const) {
      expect(shown(await pages({ ...filters, sort, limit: 11 }))).toEqual(expected(filters, sort));
    }
  });

  test("the batches of one recipient", async () => {
    const batches = shown(await pages({ recipient: wallet(103), limit: 5 }));
    const paid = all.filter((row) => (Number(row.points) - 1) % 5 === 3).map((row) => String(row.seq));
    expect([...batches].sort()).toEqual(paid.sort());
  });
});

describe("page sizes", () => {
  test.each([1, 2, 32, 63, 64, 65, 200])("%i per page", async (limit) => {
    const list = await pages({ contractAddress: contracts[1], limit });
    expect(list).toHaveLength(Math.ceil(64 / limit));
    expect(list.flat()).toHaveLength(64);
  });

  test("default to 50, newest first", async () => {
    const { rows, cursor } = await listBatches(context(), { contractAddress: contracts[0] });
    expect(rows).toHaveLength(50);
    expect(Date.parse(rows[0]!.createdAt)).toBeGreaterThan(Date.parse(rows[49]!.createdAt));
    expect(cursor).toMatch(/^[0-9a-z.]+$/);
  });

  test("can change from page to page", async () => {
    const first = await listBatches(context(), { contractAddress: contracts[0], limit: 3 });
    const rest = await listBatches(context(), {
      contractAddress: contracts[0],
      limit: 200,
      cursor: first.cursor,
    });
    expect(shown([first.rows, rest.rows])).toEqual(expected({ contractAddress: contracts[0] }, "DESC"));
    expect(rest.cursor).toBeNull();
  });
});

describe("both time bounds are exclusive", () => {
  test.each([
    [{ createdAfter: "2026-03-01T00:00:06Z" }, 0],
    [{ createdAfter: "2026-03-01T00:00:05.999Z" }, 18],
    [{ createdBefore: "2026-03-01T00:00:00Z" }, 0],
    [{ createdBefore: "2026-03-01T00:00:00.001Z" }, 18],
    [{ createdBefore: "2026-03-01T00:00:00.0001Z" }, 18],
    [{ createdAfter: "2026-02-28T23:59:59.9999Z", createdBefore: "2026-03-01T00:00:00.0009Z" }, 18],
    [{ createdAfter: "2026-03-01T14:00:05+14:00" }, 18],
    [{ createdAfter: "2026-03-02" }, 0],
    [{ createdBefore: "2026-03-01" }, 0],
    [{ createdBefore: "2026-03-02" }, 128],
    [{ createdAfter: T2, createdBefore: T1 }, 0],
  ])("%j", async (filters, about) => {
    const count = (await pages({ ...filters, limit: 200 })).flat().length;
    expect(Math.abs(count - about)).toBeLessThanOrEqual(1);
  });
});
