import { describe, expect, test } from "vitest";
import type { BatchFacets } from "@/server/batches/list/console-schema";
import {
  announcesNewer,
  builtInViews,
  loadListParams,
  queryOf,
  sortOf,
  toFilters,
  toNewerInput,
} from "./list-params";
import { indexOfBatch } from "./paths";
import { matchingCount } from "./selection/use-selection";

const seen = {
  newest: { createdAt: "2026-05-01T11:00:00Z" },
  readAt: "2026-05-01T12:00:00Z",
};

describe("batches that are new since a list was read", () => {
  test.each([
    ["", true],
    ["?sort=ASC", false],
    ["?status=OVERDUE", true],
    ["?status=HELD&sort=DUE", false],
  ])("are announced unless they would appear after unread rows: %j %s", (search, announced) => {
    expect(announcesNewer(loadListParams(search))).toBe(announced);
  });

  test("are those created after its newest row, or overdue since an overdue list was read", () => {
    const asked = (search: string) => toNewerInput(loadListParams(search), seen);
    expect(asked("?type=PHASE2_GOLD")).toEqual({ pointType: "PHASE2_GOLD", newerThan: seen.newest });
    expect(asked("?status=OVERDUE")).toEqual({ overdue: true, newerThan: seen.newest, readAt: seen.readAt });
  });
});

describe("a list", () => {
  test.each([
    ["", "DESC"],
    ["?sort=AMOUNT", "AMOUNT"],
    ["?status=OVERDUE", "DUE"],
    ["?dueFrom=2026-05-01T00:00:00.000Z", "DUE"],
    ["?finalizedTo=2026-05-01T00:00:00.000Z", "FINALIZED_DESC"],
    ["?status=PENDING&sort=FINALIZED", "DESC"],
  ])("%j is sorted by %s", (search, sort) => {
    expect(sortOf(loadListParams(search))).toBe(sort);
  });

  test("includes the first moment of a range and not its last", () => {
    const [from, to] = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z"];
    const before = "2026-04-30T23:59:59.999Z";
    const search = `?from=${from}&to=${to}&dueFrom=${from}&dueTo=${to}&finalizedFrom=${from}&finalizedTo=${to}`;
    expect(toFilters(loadListParams(search))).toEqual({
      createdAfter: before,
      createdBefore: to,
      dueAfter: before,
      dueBefore: to,
      finalizedAfter: before,
      finalizedBefore: to,
    });
  });
});

describe("a view", () => {
  test("is recognized in any order of its filters, whatever row is open", () => {
    const [one, other] = ["?type=PHASE2_GOLD&min=1000", "?open=0x1/a&min=1000&type=PHASE2_GOLD"];
    expect(queryOf(loadListParams(one))).toBe(queryOf(loadListParams(other)));
    expect(queryOf(loadListParams(`${one}&sort=AMOUNT`))).not.toBe(queryOf(loadListParams(one)));
  });

  test("of everyone's is a link that a colleague reads the same", () => {
    for (const { params } of builtInViews("ann@example.com")) {
      const query = queryOf(params);
      expect(queryOf(loadListParams(`?${query}`))).toBe(query);
    }
    expect(queryOf(builtInViews("ann@example.com").at(-1)!.params)).toBe("by=staff%3Aann%40example.com");
  });
});

const facets: BatchFacets = {
  statuses: { PENDING: 7, CANCELLED: 2, FINALIZING: 1, FINALIZED: 30 },
  pointTypes: { PHASE2_POINTS: 40, PHASE2_GOLD: 0 },
  overdue: 3,
  held: 4,
  awaitingApproval: 5,
  unusual: 0,
  reversals: 0,
  countMax: 10_000,
  isWhole: true,
};

test("the number of matching batches adds up, and none is given beyond the cap of a count or where statuses overlap", () => {
  for (const [status, count] of [
    [null, 40],
    [["PENDING", "CANCELLED"], 9],
    [["OVERDUE"], 3],
    [["HELD", "OVERDUE"], null],
  ] as const)
    expect(matchingCount({ status: status && [...status], unblocked: null }, facets)).toBe(count);
  const many = { ...facets, statuses: { ...facets.statuses, FINALIZED: 10_001 } };
  expect(matchingCount({ status: null, unblocked: null }, many)).toBeNull();
  expect(matchingCount({ status: ["PENDING"], unblocked: null }, many)).toBe(7);
  expect(matchingCount({ status: null, unblocked: null }, { ...facets, isWhole: false })).toBeNull();
  expect(matchingCount({ status: null, unblocked: null }, undefined)).toBeNull();
  expect(matchingCount({ status: null, unblocked: true }, facets)).toBeNull();
});

test("a link's batch is found in the list whatever the letter case of its address, but not of its ID", () => {
  const batch = { contractAddress: `0x${"aB".repeat(20)}`, id: "payout-1" };
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/payout-1`)).toBe(0);
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/Payout-1`)).toBe(-1);
  expect(indexOfBatch([batch], null)).toBe(-1);
});
