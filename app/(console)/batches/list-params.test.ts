import { describe, expect, test } from "vitest";
import { announcesNewer, loadListParams, toNewerInput } from "./list-params";

const seen = {
  newest: { createdAt: "2026-05-01T11:00:00Z" },
  readAt: "2026-05-01T12:00:00Z",
};

describe("batches that are new since a list was read", () => {
  test.each([
    ["", true],
    ["?status=PENDING,FINALIZING", true],
    ["?sort=ASC", false],
    ["?status=OVERDUE", true],
    ["?status=OVERDUE&sort=ASC", true],
    ["?status=HELD&sort=DUE", true],
  ])("are announced unless they would appear after unread rows: %j %s", (search, announced) => {
    expect(announcesNewer(loadListParams(search))).toBe(announced);
  });

  test("are those created after its newest row, or overdue since an overdue list was read", () => {
    const asked = (search: string) => toNewerInput(loadListParams(search), seen);
    expect(asked("?type=PHASE2_GOLD")).toEqual({ pointType: "PHASE2_GOLD", newerThan: seen.newest });
    expect(asked("?status=OVERDUE")).toEqual({ overdue: true, newerThan: seen.newest, readAt: seen.readAt });
  });
});
