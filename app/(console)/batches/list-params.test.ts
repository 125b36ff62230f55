import { describe, expect, test } from "vitest";
import { indexOfBatch } from "@/app/(console)/batch-key";
import { markOf } from "@/app/(console)/batches/status";
import { OVERDUE_AFTER_SECONDS } from "@/terms/batch-terms";
import {
  announcesNewer,
  loadListParams,
  metadataPath,
  queryOf,
  sortOf,
  toFilters,
  toNewerInput,
} from "./list-params";

const newerThan = { createdAt: "2026-05-01T11:00:00Z" };

describe("batches that are new since a list was read", () => {
  test.each([
    ["", true],
    ["?sort=ASC", false],
    ["?status=OVERDUE", false],
    ["?status=HELD&sort=DUE", false],
  ])("are announced unless they would appear after unread rows: %j %s", (search, announced) => {
    expect(announcesNewer(loadListParams(search))).toBe(announced);
  });

  test("are those created after its newest row", () => {
    const asked = toNewerInput(loadListParams("?type=PHASE2_GOLD"), newerThan.createdAt);
    expect(asked).toEqual({ pointType: "PHASE2_GOLD", newerThan });
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

  test.each([
    ["campaign:summer", { campaign: "summer" }],
    ["a.b:c:d%26e", { "a.b": "c:d&e" }],
    ["constructor:x", { constructor: "x" }],
    ["summer", undefined],
    ["__proto__:x", undefined],
    ["a b:c", undefined],
  ])("with metadata=%s has only batches with the pair", (pair, metadata) => {
    const filters = toFilters(loadListParams(`?metadata=${pair}`));
    expect(filters).toEqual(metadata ? { metadata } : {});
    const [path] = Object.entries(filters.metadata ?? {}).map((each) => metadataPath(...each));
    expect(toFilters(loadListParams(path?.replace("/batches", "") ?? ""))).toEqual(filters);
  });

  test("includes the first moment of a range and not its last", () => {
    const [from, to] = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z"];
    const before = "2026-04-30T23:59:59.999Z";
    const search =
      `?from=${from}&to=${to}&dueFrom=${from}&dueTo=${to}` + `&finalizedFrom=${from}&finalizedTo=${to}`;
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

test("a view is recognized in any order of its filters, whatever row is open", () => {
  const [one, other] = ["?type=PHASE2_GOLD&min=1000", "?open=0x1/a&min=1000&type=PHASE2_GOLD"];
  expect(queryOf(loadListParams(one))).toBe(queryOf(loadListParams(other)));
  expect(queryOf(loadListParams(`${one}&sort=AMOUNT`))).not.toBe(queryOf(loadListParams(one)));
});

test("a link's batch is found in the list whatever the letter case of its address, but not of its ID", () => {
  const batch = { contractAddress: `0x${"aB".repeat(20)}`, id: "payout-1" };
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/payout-1`)).toBe(0);
  expect(indexOfBatch([batch], `0x${"ab".repeat(20)}/Payout-1`)).toBe(-1);
  expect(indexOfBatch([batch], null)).toBe(-1);
});

const NOW = Date.parse("2026-05-01T12:00:00Z");
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

describe("the mark next to the status of a batch", () => {
  test.each([
    ["PENDING", OVERDUE_AFTER_SECONDS, null, null],
    ["PENDING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE", null],
    ["FINALIZING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE", null],
    ["CANCELLED", 3600, null, null],
    ["PENDING", 3600, "HELD", ago(60)],
  ] as const)("that is %s and was due %i s ago is %s, on hold since %s", (status, seconds, mark, heldAt) => {
    expect(markOf({ status, finalizeAt: ago(seconds), heldAt, awaitsApproval: false }, NOW)).toBe(mark);
  });
});
